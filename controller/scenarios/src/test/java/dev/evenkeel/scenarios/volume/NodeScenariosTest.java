package dev.evenkeel.scenarios.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.api.volume.AttachVolume;
import dev.evenkeel.api.volume.CreateGroupSnapshot;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.DeleteGroupSnapshot;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.api.volume.DetachVolume;
import dev.evenkeel.api.volume.DeviceMountState;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.ExpandNodeVolume;
import dev.evenkeel.api.volume.ExpandVolume;
import dev.evenkeel.api.volume.GroupSnapshot;
import dev.evenkeel.api.volume.ModifyVolume;
import dev.evenkeel.api.volume.MountSpec;
import dev.evenkeel.api.volume.MountSpec.AccessMode;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.PublishVolume;
import dev.evenkeel.api.volume.SizeRange;
import dev.evenkeel.api.volume.StageVolume;
import dev.evenkeel.api.volume.UnpublishVolume;
import dev.evenkeel.api.volume.UnstageVolume;
import dev.evenkeel.api.volume.Volume;
import dev.evenkeel.datastore.MemoryDatastore;
import dev.evenkeel.handlers.volume.DatastoreMounter;
import dev.evenkeel.handlers.volume.VolumeCatalog;
import dev.evenkeel.handlers.volume.VolumeSettings;
import dev.evenkeel.testkit.volume.FakeBackend;
import dev.evenkeel.testkit.volume.FaultPoints;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Nodes, attachments, groups and changing parameters, with a crash at every point. */
@DisplayName("Volumes on nodes")
final class NodeScenariosTest {
  private static final long GIB = 1L << 30;
  private static final ObjectRef DATA = ObjectRef.named("data");
  private static final ObjectRef LOGS = ObjectRef.named("logs");
  private static final String NODE = Driver.NODE;
  private static final String STAGING = "/var/staging/data";
  private static final String TARGET = "/var/pods/a/data";
  private static final Request<Volume> MAKE = CreateVolume.of("data", GIB);
  private static final Request<Volume> MAKE_LOGS = CreateVolume.of("logs", GIB);
  private static final Request<Done> DELETE = new DeleteVolume(DATA, Secrets.NONE);
  private static final Request<Done> STAGE = stage(MountSpec.PLAIN);
  private static final Request<Done> UNSTAGE = new UnstageVolume(DATA, NODE, STAGING);
  private static final Request<Done> PUBLISH = publish(TARGET, MountSpec.PLAIN);
  private static final Request<Done> UNPUBLISH = new UnpublishVolume(DATA, NODE, TARGET);
  private static final Request<Done> ATTACH = new AttachVolume(DATA, NODE, false, Secrets.NONE);
  private static final Request<Done> DETACH = new DetachVolume(DATA, NODE, Secrets.NONE);
  private static final Request<GroupSnapshot> GROUP =
      new CreateGroupSnapshot("group", List.of(DATA, LOGS), Secrets.NONE);
  private static final Request<Done> UNGROUP =
      new DeleteGroupSnapshot(ObjectRef.named("group"), Secrets.NONE);

  private static Request<Done> stage(MountSpec mount) {
    return new StageVolume(DATA, NODE, STAGING, mount, Secrets.NONE);
  }

  private static Request<Done> publish(String target, MountSpec mount) {
    return new PublishVolume(DATA, NODE, STAGING, target, mount, Secrets.NONE);
  }

  private static MountSpec access(AccessMode mode) {
    return new MountSpec(false, "", List.of(), mode, false);
  }

  /** What outlives a process. */
  private static final class Cluster {
    final FakeBackend backend = FakeBackend.create();
    final MemoryDatastore store = MemoryDatastore.create();

    static Cluster with(Request<?>... before) {
      Cluster cluster = new Cluster();
      for (Request<?> request : before) {
        cluster.succeeds(request, "preparing");
      }
      return cluster;
    }

    <R> Outcome<R> once(Life life, Request<R> request) {
      try (Driver driver =
          new Driver(new MortalBackend(backend, life), new MortalDatastore(store, life))) {
        return driver.run(request);
      }
    }

    <R> R succeeds(Request<R> request, String where) {
      Outcome<R> outcome = once(Life.whole(), request);
      assertTrue(outcome.isSuccess(), () -> where + ": " + outcome);
      return outcome.orThrow();
    }

    void refuses(ErrorKind kind, Request<?> request) {
      Outcome<?> outcome = once(Life.whole(), request);
      assertFalse(outcome.isSuccess(), outcome::toString);
      assertEquals(kind, outcome.failures().get(0).kind(), outcome::toString);
    }

    String image() throws Exception {
      return backend.images().get(0).name();
    }

    DeviceMountState state() {
      VolumeCatalog catalog = VolumeCatalog.of(store, VolumeSettings.of("demo"));
      String id = catalog.volumes("", 0).items().get(0).id();
      return new DatastoreMounter(NODE, store).getDeviceMountState(id);
    }

    List<String> picture() throws Exception {
      assertEquals(List.of(), backend.violations());
      return Picture.of(backend, store);
    }
  }

  private static void survivesCrashes(Request<?> request, Request<?>... before) throws Exception {
    Cluster undisturbed = Cluster.with(before);
    Life whole = Life.whole();
    assertTrue(undisturbed.once(whole, request).isSuccess());
    for (int i = 0; i < whole.points().size(); i++) {
      String where = "crash " + whole.points().get(i) + " (" + i + ")";
      Cluster cluster = Cluster.with(before);
      Life cut = Life.untilPoint(i);
      Outcome<?> unused = cluster.once(cut, request);
      assertTrue(cut.isDead(), where);
      Object unusedToo = cluster.succeeds(request, where);
      assertEquals(undisturbed.picture(), cluster.picture(), where);
    }
  }

  /** Whoever gives up in the middle and takes the opposite leaves nothing behind. */
  private static void givenUp(Request<?> request, Request<?> opposite, Request<?>... before)
      throws Exception {
    Cluster undisturbed = Cluster.with(before);
    List<String> untouched = undisturbed.picture();
    Life whole = Life.whole();
    assertTrue(undisturbed.once(whole, request).isSuccess());
    for (int i = 0; i < whole.points().size(); i++) {
      Cluster cluster = Cluster.with(before);
      Outcome<?> unused = cluster.once(Life.untilPoint(i), request);
      String where = whole.points().get(i) + " (" + i + ")";
      Object unusedToo = cluster.succeeds(opposite, where);
      assertEquals(untouched, cluster.picture(), where);
    }
  }

  @Test
  @DisplayName("OP-75, OP-76, OP-77, OP-78, OP-79, OP-80 a stage survives a crash at every point")
  void stageSurvives() throws Exception {
    survivesCrashes(STAGE, MAKE);
    Cluster cluster = Cluster.with(MAKE, STAGE);
    assertEquals(1, cluster.backend.formats(cluster.image()));
    assertEquals(GIB, cluster.backend.fileSystem(cluster.image()));
    assertEquals(DeviceMountState.MOUNTED, cluster.state());
  }

  @Test
  @DisplayName("OP-80 staged again after it has grown: the file system grows, too")
  void grows() throws Exception {
    Cluster cluster = Cluster.with(MAKE, STAGE);
    Request<Volume> grow = new ExpandVolume(DATA, SizeRange.atLeast(2 * GIB), Secrets.NONE);
    assertEquals(2 * GIB, cluster.succeeds(grow, "growing").size());
    Request<Volume> onNode =
        new ExpandNodeVolume(DATA, NODE, STAGING, SizeRange.atLeast(2 * GIB), Secrets.NONE);
    assertEquals(2 * GIB, cluster.succeeds(onNode, "growing on the node").size());
    assertEquals(2 * GIB, cluster.backend.fileSystem(cluster.image()));
    Cluster other = Cluster.with(MAKE, STAGE, grow, STAGE);
    assertEquals(2 * GIB, other.backend.fileSystem(other.image()));
  }

  @Test
  @DisplayName("OP-81 staged twice: nothing more is done, also after the node was started again")
  void stagedTwice() throws Exception {
    Cluster cluster = Cluster.with(MAKE, STAGE);
    List<String> staged = cluster.picture();
    var unused = cluster.succeeds(STAGE, "again");
    assertEquals(staged, cluster.picture());
    cluster.backend.restartNode();
    var unusedToo = cluster.succeeds(STAGE, "after a restart");
    assertEquals(staged, cluster.picture());
    assertEquals(1, cluster.backend.formats(cluster.image()));
  }

  @Test
  @DisplayName("OP-81 a stage whose undo fails keeps device and stash; an unstage cleans all")
  void undoFails() throws Exception {
    Cluster cluster = Cluster.with(MAKE);
    List<String> untouched = cluster.picture();
    Life life = Life.whole().failing("after mount-device", "before undoing mount-device");
    assertFalse(cluster.once(life, STAGE).isSuccess());
    assertTrue(cluster.backend.describe().contains("mapped "));
    assertEquals(DeviceMountState.UNCERTAIN, cluster.state());
    var unused = cluster.succeeds(UNSTAGE, "unstage");
    assertEquals(untouched, cluster.picture());
    assertEquals(DeviceMountState.NOT_MOUNTED, cluster.state());
  }

  @Test
  @DisplayName("OP-83 read-only and block: never formatted; what is formatted never again")
  void formats() throws Exception {
    Cluster readOnly = Cluster.with(MAKE);
    MountSpec reader = new MountSpec(false, "", List.of(), AccessMode.SINGLE_NODE_READER, true);
    var unused = readOnly.succeeds(stage(reader), "read-only");
    assertEquals(0, readOnly.backend.formats(readOnly.image()));
    Cluster block = Cluster.with(MAKE);
    MountSpec raw = new MountSpec(true, "", List.of(), AccessMode.SINGLE_NODE_WRITER, false);
    var unusedToo = block.succeeds(stage(raw), "block");
    assertEquals(0, block.backend.formats(block.image()));
    Cluster twice = Cluster.with(MAKE, STAGE, UNSTAGE, STAGE);
    assertEquals(1, twice.backend.formats(twice.image()));
  }

  @Test
  @DisplayName("OP-84 an unstage survives a crash at every point; without a stash it is done")
  void unstageSurvives() throws Exception {
    survivesCrashes(UNSTAGE, MAKE, STAGE);
    Cluster cluster = Cluster.with(MAKE);
    assertEquals(new Done(false), cluster.succeeds(UNSTAGE, "never staged"));
  }

  @Test
  @DisplayName("OP-84 mounted without a stash: an internal error, and nothing is touched")
  void mountedWithoutStash() throws Exception {
    Cluster cluster = Cluster.with(MAKE, STAGE);
    Cluster stranger = new Cluster();
    try (Driver driver = new Driver(cluster.backend, stranger.store)) {
      String id =
          VolumeCatalog.of(cluster.store, VolumeSettings.of("demo"))
              .volumes("", 0)
              .items()
              .get(0)
              .id();
      Outcome<Done> outcome = driver.run(new UnstageVolume(ObjectRef.id(id), NODE, STAGING));
      assertEquals(ErrorKind.INTERNAL, outcome.failures().get(0).kind(), outcome::toString);
    }
    assertTrue(cluster.backend.describe().contains("mounted " + STAGING));
  }

  @Test
  @DisplayName("OP-87 a stage that was given up anywhere is unstaged, and nothing is left")
  void stageGivenUp() throws Exception {
    givenUp(STAGE, UNSTAGE, MAKE);
  }

  @Test
  @DisplayName("OP-88 publish and unpublish survive a crash at every point, and undo each other")
  void publishSurvives() throws Exception {
    survivesCrashes(PUBLISH, MAKE, STAGE);
    survivesCrashes(UNPUBLISH, MAKE, STAGE, PUBLISH);
    givenUp(PUBLISH, UNPUBLISH, MAKE, STAGE);
    Cluster cluster = Cluster.with(MAKE);
    var unused = cluster.succeeds(UNPUBLISH, "never published");
    cluster.refuses(ErrorKind.FAILED_PRECONDITION, PUBLISH);
  }

  @Test
  @DisplayName("OP-88 a single writer has one target; others may have several")
  void singleWriter() {
    MountSpec single = access(AccessMode.SINGLE_NODE_SINGLE_WRITER);
    Cluster cluster = Cluster.with(MAKE, STAGE, publish(TARGET, single), publish(TARGET, single));
    cluster.refuses(ErrorKind.FAILED_PRECONDITION, publish("/var/pods/b/data", single));
    MountSpec multi = access(AccessMode.SINGLE_NODE_MULTI_WRITER);
    var unused = cluster.succeeds(publish("/var/pods/b/data", multi), "several");
  }

  @Test
  @DisplayName(
      "OP-89 a mounted device stays mounted whatever fails; an undone stage is not mounted")
  void mountStates() {
    Cluster cluster = Cluster.with(MAKE);
    assertFalse(cluster.once(Life.whole().failing("before mount-device"), STAGE).isSuccess());
    assertEquals(DeviceMountState.NOT_MOUNTED, cluster.state());
    var unused = cluster.succeeds(STAGE, "stage");
    cluster.backend.restartNode();
    assertFalse(cluster.once(Life.whole().failing("before mount-device"), STAGE).isSuccess());
    assertEquals(DeviceMountState.MOUNTED, cluster.state());
    var unusedToo = cluster.succeeds(STAGE, "again");
    assertFalse(cluster.once(Life.whole().failing("before unmap-device"), UNSTAGE).isSuccess());
    assertEquals(DeviceMountState.MOUNTED, cluster.state());
  }

  /** Runs one request up to a point, and another one meanwhile, which must be refused. */
  private static void refusesBeside(
      Request<?> first, String point, Request<?> second, Request<?>... before) throws Exception {
    Cluster cluster = Cluster.with(before);
    try (Driver driver = new Driver(cluster.backend, cluster.store)) {
      cluster.backend.faults().arm(point, FaultPoints.Fault.HANG_BEFORE);
      Submission<?> running = driver.loop.pushEvent(first);
      assertTrue(cluster.backend.faults().awaitHanging(Duration.ofSeconds(30)), point);
      Outcome<?> refused = driver.run(second);
      assertFalse(refused.isSuccess(), refused::toString);
      assertEquals(ErrorKind.BUSY, refused.failures().get(0).kind(), refused::toString);
      cluster.backend.faults().release();
      Outcome<?> done = Driver.await(running);
      assertTrue(done.isSuccess(), done::toString);
      Outcome<?> again = driver.run(second);
      assertTrue(again.isSuccess(), again::toString);
    }
    assertEquals(List.of(), cluster.backend.violations());
  }

  @Test
  @DisplayName("OP-73 growing on a node and an unstage there refuse each other")
  void expandBesideUnstage() throws Exception {
    Request<Volume> onNode =
        new ExpandNodeVolume(DATA, NODE, STAGING, SizeRange.atLeast(1), Secrets.NONE);
    Request<Volume> grow = new ExpandVolume(DATA, SizeRange.atLeast(2 * GIB), Secrets.NONE);
    refusesBeside(onNode, "probe grow-fs", UNSTAGE, MAKE, STAGE);
    refusesBeside(UNSTAGE, "apply unmap-device", STAGE, MAKE, STAGE);
    refusesBeside(grow, "apply expand-image", DELETE, MAKE);
  }

  @Test
  @DisplayName("OP-85 a stage, and a publish, while an unstage still runs: refused, then whole")
  void stageBesideUnstage() throws Exception {
    refusesBeside(UNSTAGE, "apply unmount", STAGE, MAKE, STAGE);
    refusesBeside(STAGE, "apply mount-device", PUBLISH, MAKE);
  }

  @Test
  @DisplayName("OP-54 a volume that is staged is not deleted")
  void stagedIsInUse() {
    Cluster cluster = Cluster.with(MAKE, STAGE);
    cluster.refuses(ErrorKind.FAILED_PRECONDITION, DELETE);
    var unused = cluster.succeeds(UNSTAGE, "unstage");
    var unusedToo = cluster.succeeds(DELETE, "delete");
  }

  @Test
  @DisplayName("OP-91 an attachment is forgotten only when detaching has succeeded")
  void attachments() throws Exception {
    survivesCrashes(ATTACH, MAKE);
    survivesCrashes(DETACH, MAKE, ATTACH);
    givenUp(ATTACH, DETACH, MAKE);
    Cluster cluster = Cluster.with(MAKE, ATTACH, ATTACH);
    List<String> attached = cluster.picture();
    cluster.refuses(ErrorKind.ALREADY_EXISTS, new AttachVolume(DATA, NODE, true, Secrets.NONE));
    assertFalse(cluster.once(Life.whole().failing("after detach"), DETACH).isSuccess());
    String record = attached.stream().filter(l -> l.startsWith("attachment ")).findFirst().get();
    assertTrue(cluster.picture().contains(record), "still recorded");
    assertEquals(new Done(true), cluster.succeeds(DETACH, "repeated"));
    assertEquals(new Done(false), cluster.succeeds(DETACH, "twice"));
    Request<Done> unknown = new DetachVolume(ObjectRef.named("never"), "no-node", Secrets.NONE);
    assertEquals(new Done(false), cluster.succeeds(unknown, "unknown"));
  }

  @Test
  @DisplayName("a group of snapshots survives a crash at every point: all members or none")
  void groups() throws Exception {
    survivesCrashes(GROUP, MAKE, MAKE_LOGS);
    survivesCrashes(UNGROUP, MAKE, MAKE_LOGS, GROUP);
    givenUp(GROUP, UNGROUP, MAKE, MAKE_LOGS);
  }

  @Test
  @DisplayName("a group is answered the same again, and is not made of other volumes")
  void groupAnswers() throws Exception {
    Cluster cluster = Cluster.with(MAKE, MAKE_LOGS);
    List<String> before = cluster.picture();
    GroupSnapshot group = cluster.succeeds(GROUP, "first");
    assertEquals(2, group.members().size());
    assertEquals(group, cluster.succeeds(GROUP, "again"));
    VolumeCatalog catalog = VolumeCatalog.of(cluster.store, VolumeSettings.of("demo"));
    assertEquals(group, catalog.group(group.id()).orElseThrow());
    assertEquals(group.members().get(1), catalog.snapshot(group.members().get(1).id()).get());
    cluster.refuses(
        ErrorKind.ALREADY_EXISTS, new CreateGroupSnapshot("group", List.of(LOGS), Secrets.NONE));
    Life life = Life.whole().failing("after seal-snapshot");
    Request<GroupSnapshot> other =
        new CreateGroupSnapshot("other", List.of(LOGS, DATA), Secrets.NONE);
    List<String> one = cluster.picture();
    assertFalse(cluster.once(life, other).isSuccess());
    assertEquals(one, cluster.picture());
    assertEquals(new Done(true), cluster.succeeds(UNGROUP, "delete"));
    assertEquals(new Done(false), cluster.succeeds(UNGROUP, "twice"));
    assertEquals(before, cluster.picture());
  }

  @Test
  @DisplayName("parameters that may change: set at once or later, and a repeat is the same request")
  void modify() throws Exception {
    CreateVolume make = CreateVolume.of("data", GIB).with("mutable/iops", "100");
    Cluster cluster = Cluster.with(make);
    TreeMap<String, String> faster = new TreeMap<>();
    faster.put("iops", "200");
    Request<Done> modify = new ModifyVolume(DATA, faster, Secrets.NONE);
    survivesCrashes(modify, make);
    Volume volume = cluster.succeeds(make, "again");
    var unused = cluster.succeeds(modify, "modify");
    assertEquals(volume, cluster.succeeds(make, "after it has changed"));
    VolumeCatalog catalog = VolumeCatalog.of(cluster.store, VolumeSettings.of("demo"));
    assertEquals(faster, catalog.mutable(volume.id()).orElseThrow());
    faster.put("iops", "none");
    cluster.refuses(ErrorKind.INVALID, new ModifyVolume(DATA, faster, Secrets.NONE));
  }

  @Test
  @DisplayName("pages show what stays once, whatever comes and goes between them")
  void pages() {
    Cluster cluster = new Cluster();
    for (int i = 0; i < 5; i++) {
      var unused = cluster.succeeds(CreateVolume.of("v" + i, GIB), "v" + i);
    }
    VolumeCatalog catalog = VolumeCatalog.of(cluster.store, VolumeSettings.of("demo"));
    List<Volume> all = catalog.volumes("", 0).items();
    VolumeCatalog.Page<Volume> first = catalog.volumes("", 2);
    assertEquals(all.subList(0, 2), first.items());
    var unused =
        cluster.succeeds(
            new DeleteVolume(ObjectRef.id(all.get(1).id()), Secrets.NONE),
            "the one that the token names");
    VolumeCatalog.Page<Volume> second = catalog.volumes(first.next(), 2);
    assertEquals(all.subList(2, 4), second.items());
    VolumeCatalog.Page<Volume> last = catalog.volumes(second.next(), 2);
    assertEquals(all.subList(4, 5), last.items());
    assertEquals("", last.next());
  }
}
