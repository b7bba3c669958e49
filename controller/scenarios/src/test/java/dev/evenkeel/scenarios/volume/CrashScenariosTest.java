package dev.evenkeel.scenarios.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Secrets;
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
import java.nio.file.Path;
import java.util.List;
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

  private void survives(Request<?> request, int leastPoints, Request<?>... before)
      throws Exception {
    Life whole = Life.whole();
    List<String> expected;
    try (Site site = prepared("whole", before)) {
      assertSuccess(site.once(whole, request), "undisturbed");
      expected = site.picture();
    }
    List<String> points = whole.points();
    assertTrue(points.size() >= leastPoints, points::toString);
    for (int i = 0; i < points.size(); i++) {
      String where = "crash at point " + i + ", " + points.get(i);
      try (Site site = prepared("crash-" + i, before)) {
        Life cut = Life.untilPoint(i);
        Outcome<?> outcome = site.once(cut, request);
        assertTrue(cut.isDead(), where);
        boolean answered = i == points.size();
        assertEquals(answered, outcome.isSuccess(), where + ": " + outcome);
        assertSuccess(site.once(Life.whole(), request), where);
        assertEquals(expected, site.picture(), where);
      }
    }
  }

  private Site prepared(String name, Request<?>... before) {
    Site site = Site.in(folder.resolve(name));
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
