package dev.evenkeel.scenarios.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.volume.CreateSnapshot;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.DeleteSnapshot;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.api.volume.ExpandVolume;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.SizeRange;
import dev.evenkeel.api.volume.Volume;
import dev.evenkeel.api.volume.VolumeLocks;
import dev.evenkeel.api.volume.VolumeSource;
import dev.evenkeel.codec.jackson.JacksonEventCodec;
import dev.evenkeel.controller.manual.ManualLoop;
import dev.evenkeel.handlers.volume.VolumeHandlers;
import dev.evenkeel.handlers.volume.VolumeSettings;
import dev.evenkeel.testkit.LoopExtension;
import dev.evenkeel.testkit.LoopTestKit;
import dev.evenkeel.testkit.Then;
import dev.evenkeel.txn.Action;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("While an operation runs")
@ExtendWith(LoopExtension.class)
final class LockScenariosTest {
  private static final long GIB = 1L << 30;
  private static final ObjectRef DATA = ObjectRef.named("data");
  private static final ObjectRef CUT = ObjectRef.named("cut");
  private static final DeleteVolume DELETE = new DeleteVolume(DATA, Secrets.NONE);
  private static final ExpandVolume EXPAND =
      new ExpandVolume(DATA, SizeRange.atLeast(2 * GIB), Secrets.NONE);
  private static final CreateSnapshot SNAPSHOT = new CreateSnapshot("cut", DATA, Secrets.NONE);

  @TempDir private Path folder;
  private final Life life = Life.whole();
  private LoopTestKit kit;

  @BeforeEach
  void start(LoopTestKit given) {
    kit = given;
    Site site = Site.in(folder);
    kit.handlers(
            VolumeHandlers.stock(new MortalBackend(site.backend, life), VolumeSettings.of("demo")))
        .datastore(site.store, JacksonEventCodec.withVolumes())
        .given();
  }

  private ManualLoop hold(String step) {
    kit.loop()
        .hold(
            action -> action.kind() == Action.Kind.APPLY && action.target().startsWith(step + ":"));
    return kit.loop();
  }

  private void create(String name) {
    kit.when(CreateVolume.of(name, GIB)).applied();
  }

  private static CreateVolume copy(String name, VolumeSource.Kind kind, ObjectRef of) {
    return CreateVolume.of(name, GIB).from(new VolumeSource(kind, of));
  }

  @Test
  @DisplayName(
      "OP-01 the same create again is refused at once; afterwards it gives the same volume")
  void sameAgain() {
    ManualLoop loop = hold("create-image");
    Then<Volume> first = kit.when(CreateVolume.of("data", GIB)).waits();
    assertTrue(loop.operations().isOperationPending(VolumeLocks.volume("data")));
    kit.when(CreateVolume.of("data", GIB)).refused().failsWith(ErrorKind.BUSY);
    loop.releaseAll();
    Volume volume = first.applied().outcome().orThrow();
    assertFalse(loop.operations().isOperationPending(VolumeLocks.volume("data")));
    kit.when(CreateVolume.of("data", GIB)).applied().answers(volume);
    assertEquals(1, life.points().stream().filter("before create-image"::equals).count());
  }

  @Test
  @DisplayName(
      "OP-02 an expand beside a delete is refused, nothing is written; then it is not found")
  void expandBesideDelete() {
    create("data");
    ManualLoop loop = hold("trash-image");
    Then<?> delete = kit.when(DELETE).waits();
    List<String> before = life.points();
    kit.when(EXPAND).refused().failsWith(ErrorKind.BUSY);
    assertEquals(before, life.points());
    loop.releaseAll();
    delete.applied();
    kit.when(EXPAND).failsWith(ErrorKind.NOT_FOUND);
  }

  @Test
  @DisplayName("OP-03 a delete beside an expand, and an expand beside a clone, are refused")
  void expandAndClone() {
    create("data");
    ManualLoop loop = hold("expand-image");
    Then<?> expand = kit.when(EXPAND).waits();
    kit.when(DELETE).refused().failsWith(ErrorKind.BUSY);
    loop.releaseAll();
    expand.applied();

    hold("clone-image");
    CreateVolume larger =
        CreateVolume.of("copy", 2 * GIB).from(new VolumeSource(VolumeSource.Kind.VOLUME, DATA));
    Then<?> clone = kit.when(larger).waits();
    ExpandVolume more = new ExpandVolume(DATA, SizeRange.atLeast(3 * GIB), Secrets.NONE);
    kit.when(more).refused().failsWith(ErrorKind.BUSY);
    loop.releaseAll();
    clone.applied();
    kit.when(more).applied();
  }

  @Test
  @DisplayName("OP-05 a snapshot is not deleted before the last of two restores of it has ended")
  void restores() {
    create("data");
    kit.when(SNAPSHOT).applied();
    ManualLoop loop = hold("restore-image");
    DeleteSnapshot delete = new DeleteSnapshot(CUT, Secrets.NONE);
    Then<?> one = kit.when(copy("one", VolumeSource.Kind.SNAPSHOT, CUT)).waits();
    Then<?> two = kit.when(copy("two", VolumeSource.Kind.SNAPSHOT, CUT)).waits();
    kit.when(delete).refused().failsWith(ErrorKind.BUSY);
    loop.held().get(0).release();
    one.applied();
    kit.when(delete).refused().failsWith(ErrorKind.BUSY);
    loop.releaseAll();
    two.applied();
    kit.when(delete).applied();
  }

  @Test
  @DisplayName("OP-06 a snapshot and an expand of one volume refuse each other, in both orders")
  void snapshotAndExpand() {
    create("data");
    ManualLoop loop = hold("snapshot-image");
    Then<?> snapshot = kit.when(SNAPSHOT).waits();
    kit.when(EXPAND).refused().failsWith(ErrorKind.BUSY);
    loop.releaseAll();
    snapshot.applied();

    hold("expand-image");
    Then<?> expand = kit.when(EXPAND).waits();
    CreateSnapshot other = new CreateSnapshot("other", DATA, Secrets.NONE);
    kit.when(other).refused().failsWith(ErrorKind.BUSY);
    loop.releaseAll();
    expand.applied();
    kit.when(other).applied();
  }

  @Test
  @DisplayName("OP-10 a delete by its id is refused beside a create by its name")
  void idAndName() {
    create("data");
    ObjectRef id = ObjectRef.id(kit.when(CreateVolume.of("data", GIB)).outcome().orThrow().id());
    ManualLoop loop = hold("trash-image");
    Then<?> delete = kit.when(new DeleteVolume(id, Secrets.NONE)).waits();
    kit.when(CreateVolume.of("data", GIB)).refused().failsWith(ErrorKind.BUSY);
    loop.releaseAll();
    delete.applied();
    kit.when(CreateVolume.of("data", GIB)).applied();
  }

  @Test
  @DisplayName("others go on")
  void othersGoOn() {
    ManualLoop loop = hold("create-image");
    Then<?> first = kit.when(CreateVolume.of("data", GIB)).waits();
    String held = loop.held().get(0).action().target();
    loop.hold(action -> action.target().equals(held));
    kit.when(CreateVolume.of("other", GIB)).applied();
    loop.releaseAll();
    first.applied();
  }
}
