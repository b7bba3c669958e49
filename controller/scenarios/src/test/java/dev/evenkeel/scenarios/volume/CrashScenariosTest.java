package dev.evenkeel.scenarios.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.datastore.Capability;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.volume.CreateSnapshot;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.DeleteSnapshot;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.api.volume.ExpandVolume;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.SizeRange;
import dev.evenkeel.api.volume.VolumeSource;
import dev.evenkeel.codec.jackson.JacksonCodecs;
import dev.evenkeel.datastore.MemoryDatastore;
import dev.evenkeel.store.local.LocalDatastore;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The process dies before and after every act and every write. A new one, on what is left, gets the
 * same request, and all is as if nothing had happened.
 */
@DisplayName("A crash at every point")
final class CrashScenariosTest {
  private static final long GIB = 1L << 30;
  private static final ObjectRef SOURCE = ObjectRef.named("source");
  private static final ObjectRef CUT = ObjectRef.named("cut");

  @TempDir private Path folder;

  /** Stores that write a batch at once, write by write, and to the disk. */
  private enum Store {
    ATOMIC,
    STEPWISE,
    ON_DISK;

    Site open(Path folder) {
      return switch (this) {
        case ATOMIC -> Site.in(folder);
        case STEPWISE ->
            new Site(folder, MemoryDatastore.builder().without(Capability.ATOMIC_BATCH).build());
        case ON_DISK ->
            new Site(
                folder.resolve("volumes"),
                LocalDatastore.open(folder.resolve("records"), new JacksonCodecs()));
      };
    }
  }

  private Store kind = Store.ATOMIC;
  private List<Request<?>> afterwards = List.of();

  private void survives(Request<?> request, int leastPoints, Request<?>... before)
      throws Exception {
    survives(site -> request, leastPoints, before);
  }

  private void survives(Function<Site, Request<?>> wanted, int leastPoints, Request<?>... before)
      throws Exception {
    Life whole = Life.whole();
    List<String> expected;
    try (Site site = prepared("whole", before)) {
      assertSuccess(site.once(whole, wanted.apply(site)), "undisturbed");
      afterwards.forEach(next -> assertSuccess(site.once(Life.whole(), next), "afterwards"));
      expected = site.picture();
    }
    List<String> points = whole.points();
    assertTrue(points.size() >= leastPoints, points::toString);
    for (int i = 0; i < points.size(); i++) {
      String where = "crash at point " + i + ", " + points.get(i);
      try (Site site = prepared("crash-" + i, before)) {
        Request<?> request = wanted.apply(site);
        Life cut = Life.untilPoint(i);
        Outcome<?> outcome = site.once(cut, request);
        assertTrue(cut.isDead(), where);
        assertFalse(outcome.isSuccess(), where + ": " + outcome);
        assertSuccess(site.once(Life.whole(), request), where);
        afterwards.forEach(next -> assertSuccess(site.once(Life.whole(), next), where));
        assertEquals(expected, site.picture(), where);
      }
    }
  }

  private Site prepared(String name, Request<?>... before) {
    Site site = kind.open(folder.resolve(kind + name));
    for (Request<?> request : before) {
      assertSuccess(site.once(Life.whole(), request), "preparing");
    }
    return site;
  }

  private static void assertSuccess(Outcome<?> outcome, String where) {
    assertTrue(outcome.isSuccess(), () -> where + ": " + outcome);
  }

  @Test
  @DisplayName("OP-20, OP-21, OP-28, OP-29 of a create: one image, one reservation, an answer")
  void create() throws Exception {
    survives(CreateVolume.of("data", GIB), 8);
  }

  @Test
  @DisplayName("OP-19, OP-20, OP-21 of a create, write by write: the parts of a reservation, too")
  void createStepwise() throws Exception {
    kind = Store.STEPWISE;
    survives(CreateVolume.of("data", GIB), 14);
  }

  @Test
  @DisplayName(
      "OP-51 of a delete by id, write by write: the name can be taken again, and is as new")
  void deleteStepwise() throws Exception {
    kind = Store.STEPWISE;
    afterwards = List.of(CreateVolume.of("source", 2 * GIB));
    survives(
        site -> new DeleteVolume(ObjectRef.id(idOf(site, "source")), Secrets.NONE),
        10,
        CreateVolume.of("source", GIB));
  }

  private static String idOf(Site site, String name) {
    return site.once(Life.whole(), CreateVolume.of(name, GIB)).orThrow().id();
  }

  @Test
  @DisplayName("OP-28, OP-29 of a create, with records on the disk")
  void createOnDisk() throws Exception {
    kind = Store.ON_DISK;
    survives(CreateVolume.of("data", GIB), 8);
  }

  @Test
  @DisplayName("OP-37, OP-38, OP-39, OP-40, OP-41, OP-42 of a clone: one copy, nothing temporary")
  void copy() throws Exception {
    survives(
        CreateVolume.of("copy", GIB).from(new VolumeSource(VolumeSource.Kind.VOLUME, SOURCE)),
        8,
        CreateVolume.of("source", GIB));
  }

  @Test
  @DisplayName("OP-58, OP-59, OP-60, OP-61, OP-62, OP-63, OP-64 of a snapshot: one, of one moment")
  void snapshot() throws Exception {
    survives(new CreateSnapshot("cut", SOURCE, Secrets.NONE), 6, CreateVolume.of("source", GIB));
  }

  @Test
  @DisplayName("OP-45 of a restore: the wanted size, without the snapshot's metadata")
  void restore() throws Exception {
    survives(
        CreateVolume.of("copy", 2 * GIB).from(new VolumeSource(VolumeSource.Kind.SNAPSHOT, CUT)),
        8,
        CreateVolume.of("source", GIB),
        new CreateSnapshot("cut", SOURCE, Secrets.NONE));
  }

  @Test
  @DisplayName("OP-51 of a delete: everything is gone")
  void delete() throws Exception {
    survives(new DeleteVolume(SOURCE, Secrets.NONE), 6, CreateVolume.of("source", GIB));
  }

  @Test
  @DisplayName("OP-69 of the delete of a snapshot: it is gone, its source is not")
  void deleteSnapshot() throws Exception {
    survives(
        new DeleteSnapshot(CUT, Secrets.NONE),
        6,
        CreateVolume.of("source", GIB),
        new CreateSnapshot("cut", SOURCE, Secrets.NONE));
  }

  @Test
  @DisplayName("OP-71 of an expand: the same size, grown once")
  void expand() throws Exception {
    survives(
        new ExpandVolume(SOURCE, SizeRange.atLeast(2 * GIB), Secrets.NONE),
        4,
        CreateVolume.of("source", GIB));
  }

  @Test
  @DisplayName("is seen: without the repeat the picture is another one")
  void isSeen() throws Exception {
    try (Site site = prepared("seen")) {
      Life cut = Life.untilPoint(4);
      assertFalse(site.once(cut, CreateVolume.of("data", GIB)).isSuccess());
      assertFalse(site.picture().isEmpty());
    }
  }
}
