package dev.evenkeel.scenarios.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
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
import dev.evenkeel.datastore.MemoryDatastore;
import dev.evenkeel.testkit.volume.FakeBackend;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A backend that needs many acts for one request, as a real cluster does: every one of them can be
 * the last of a process, or can fail.
 */
@DisplayName("A backend of many acts")
final class ManyActsTest {
  private static final long GIB = 1L << 30;
  private static final ObjectRef SOURCE = ObjectRef.named("source");
  private static final Request<?> MAKE_SOURCE = CreateVolume.of("source", GIB);
  private static final Request<?> CUT = new CreateSnapshot("cut", SOURCE, Secrets.NONE);
  private static final Request<?> CLONE =
      CreateVolume.of("copy", 2 * GIB).from(new VolumeSource(VolumeSource.Kind.VOLUME, SOURCE));
  private static final Request<?> RESTORE =
      CreateVolume.of("copy", 2 * GIB)
          .from(new VolumeSource(VolumeSource.Kind.SNAPSHOT, ObjectRef.named("cut")));
  private static final Request<?> DELETE_COPY =
      new DeleteVolume(ObjectRef.named("copy"), Secrets.NONE);
  private static final Request<?> DELETE_CUT =
      new DeleteSnapshot(ObjectRef.named("cut"), Secrets.NONE);
  private static final Request<?> GROW_SOURCE =
      new ExpandVolume(SOURCE, SizeRange.atLeast(3 * GIB), Secrets.NONE);

  /** What outlives a process. */
  private static final class Cluster {
    final FakeBackend backend = FakeBackend.create();
    final MemoryDatastore store = MemoryDatastore.create();

    static Cluster with(Request<?>... before) throws Exception {
      Cluster cluster = new Cluster();
      for (Request<?> request : before) {
        cluster.succeeds(request, "preparing");
        for (var image : cluster.backend.images()) {
          cluster.backend.fill(image.name(), "text");
        }
      }
      return cluster;
    }

    Outcome<?> once(Life life, Request<?> request) {
      try (Driver driver =
          new Driver(new MortalBackend(backend, life), new MortalDatastore(store, life))) {
        return driver.run(request);
      }
    }

    void succeeds(Request<?> request, String where) {
      Outcome<?> outcome = once(Life.whole(), request);
      assertTrue(outcome.isSuccess(), () -> where + ": " + outcome);
    }

    /** Records, images, leftovers, and how often each content is there. */
    List<String> picture() throws Exception {
      assertEquals(List.of(), backend.violations());
      return Picture.of(backend, store);
    }

    long texts() {
      return backend.describe().lines().filter(line -> line.contains("\"text\"")).count();
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
      cluster.succeeds(request, where);
      assertEquals(undisturbed.picture(), cluster.picture(), where);
      assertEquals(undisturbed.texts(), cluster.texts(), where);
    }
  }

  private static void revertsFailures(Request<?> request, Request<?>... before) throws Exception {
    Cluster undisturbed = Cluster.with(before);
    List<String> untouched = undisturbed.picture();
    Life whole = Life.whole();
    assertTrue(undisturbed.once(whole, request).isSuccess());
    for (String point : whole.points()) {
      if (point.endsWith("a write")) {
        continue;
      }
      Cluster cluster = Cluster.with(before);
      Outcome<?> failed =
          cluster.once(Life.whole().failing(point, ErrorKind.RESOURCE_EXHAUSTED), request);
      assertFalse(failed.isSuccess(), point);
      assertEquals(ErrorKind.RESOURCE_EXHAUSTED, failed.failures().get(0).kind(), point);
      assertEquals(untouched, cluster.picture(), point);
      cluster.succeeds(request, point);
      assertEquals(undisturbed.picture(), cluster.picture(), point);
    }
  }

  @Test
  @DisplayName("OP-37..42 a clone survives a crash at every point")
  void cloneSurvives() throws Exception {
    survivesCrashes(CLONE, MAKE_SOURCE);
  }

  @Test
  @DisplayName("a clone that fails at any act is put back whole, and can be repeated")
  void cloneReverts() throws Exception {
    revertsFailures(CLONE, MAKE_SOURCE);
  }

  @Test
  @DisplayName("OP-45 a restore survives a crash at every point, and fails back to nothing")
  void restore() throws Exception {
    survivesCrashes(RESTORE, MAKE_SOURCE, CUT);
    revertsFailures(RESTORE, MAKE_SOURCE, CUT);
  }

  @Test
  @DisplayName("OP-58..64 a snapshot survives a crash at every point, and fails back to nothing")
  void snapshot() throws Exception {
    survivesCrashes(CUT, MAKE_SOURCE);
    revertsFailures(CUT, MAKE_SOURCE);
  }

  @Test
  @DisplayName("OP-51 the delete of a clone survives a crash at every point")
  void deleteClone() throws Exception {
    survivesCrashes(DELETE_COPY, MAKE_SOURCE, CLONE);
  }

  @Test
  @DisplayName("OP-69 the delete of a snapshot survives a crash at every point")
  void deleteSnapshot() throws Exception {
    survivesCrashes(DELETE_CUT, MAKE_SOURCE, CUT);
  }

  @Test
  @DisplayName("OP-71 growing survives a crash at every point")
  void expand() throws Exception {
    survivesCrashes(GROW_SOURCE, MAKE_SOURCE);
  }

  @Test
  @DisplayName("a clone that crashed anywhere is deleted by name, and nothing of it is left")
  void deleteAfterCrash() throws Exception {
    List<String> expected = Cluster.with(MAKE_SOURCE).picture();
    Life whole = Life.whole();
    assertTrue(Cluster.with(MAKE_SOURCE).once(whole, CLONE).isSuccess());
    for (int i = 0; i < whole.points().size(); i++) {
      Cluster cluster = Cluster.with(MAKE_SOURCE);
      Outcome<?> unused = cluster.once(Life.untilPoint(i), CLONE);
      cluster.succeeds(DELETE_COPY, "point " + i);
      assertEquals(expected, cluster.picture(), "point " + i);
    }
  }

  @Test
  @DisplayName("a clone that crashed anywhere gives way to another request for the same name")
  void otherRequestAfterCrash() throws Exception {
    Request<?> other = CreateVolume.of("copy", GIB);
    Cluster undisturbed = Cluster.with(MAKE_SOURCE);
    undisturbed.succeeds(other, "undisturbed");
    Life whole = Life.whole();
    assertTrue(Cluster.with(MAKE_SOURCE).once(whole, CLONE).isSuccess());
    // After the last write the clone is complete, and the other request is refused.
    for (int i = 0; i < whole.points().size() - 1; i++) {
      Cluster cluster = Cluster.with(MAKE_SOURCE);
      Outcome<?> unused = cluster.once(Life.untilPoint(i), CLONE);
      cluster.succeeds(other, "point " + i);
      assertEquals(undisturbed.picture(), cluster.picture(), "point " + i);
    }
  }

  @Test
  @Tag("long")
  @DisplayName(
      "G2 a clone survives a crash at every point of the repeat after a crash at every point")
  void survivesTwoCrashes() throws Exception {
    Cluster undisturbed = Cluster.with(MAKE_SOURCE);
    Life whole = Life.whole();
    assertTrue(undisturbed.once(whole, CLONE).isSuccess());
    for (int i = 0; i < whole.points().size(); i++) {
      for (int j = 0; ; j++) {
        Cluster cluster = Cluster.with(MAKE_SOURCE);
        Outcome<?> first = cluster.once(Life.untilPoint(i), CLONE);
        Life second = Life.untilPoint(j);
        Outcome<?> again = cluster.once(second, CLONE);
        String where = "crashes at " + i + " and " + j + ": " + first + ", " + again;
        cluster.succeeds(CLONE, where);
        assertEquals(undisturbed.picture(), cluster.picture(), where);
        if (!second.isDead()) {
          break;
        }
      }
    }
  }
}
