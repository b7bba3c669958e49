package dev.evenkeel.tck.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.Image;
import dev.evenkeel.api.volume.StepPlan;
import dev.evenkeel.api.volume.VolumeBackend;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What the stock handlers and the operation journal rely on in a {@link VolumeBackend}. Extended by
 * the authors of backends in their tests; needs JUnit 5. Of an ability that a backend does not have
 * it is asked only that the lack stays, whatever is done and however often it is opened, since the
 * handlers refuse by it. No test is skipped.
 *
 * <p>The acts are driven as an operation drives them, and broken off after each of them: going on
 * must end as if nothing had happened, and going back must leave nothing.
 */
public abstract class VolumeBackendContract extends ImageContract {
  /** For JUnit. */
  protected VolumeBackendContract() {}

  // Expanding

  @Test
  @DisplayName("OP-71 an image grows, keeps what it holds, and grows once")
  void expands() throws Exception {
    if (lacks(VolumeBackend::expansion)) {
      return;
    }
    VolumeBackend.Expansion expansion = able(backend.expansion());
    Image before = PlanRun.run(create(SOURCE));
    fill(backend, SOURCE, "kept");
    long larger = backend.roundUp(before.size() + 1);
    Image grown = PlanRun.run(expansion.expand(SOURCE, larger));
    assertEquals(larger, grown.size());
    assertEquals(Optional.of(grown), backend.find(SOURCE));
    assertEquals("kept", content(backend, SOURCE));
    PlanRun<Image> again = new PlanRun<>(StepPlan.of(expansion.expand(SOURCE, larger)));
    assertEquals(grown, again.all());
    assertEquals(0, again.applied());
    assertFalse(expansion.expand(SOURCE, larger).undoable());
  }

  @Test
  @DisplayName("OP-72 an image that is large enough is never shrunk")
  void neverShrinks() throws Exception {
    if (lacks(VolumeBackend::expansion)) {
      return;
    }
    VolumeBackend.Expansion expansion = able(backend.expansion());
    Image before = PlanRun.run(create(SOURCE));
    assertEquals(before, PlanRun.run(expansion.expand(SOURCE, 1)));
    new PlanRun<>(StepPlan.of(expansion.expand(SOURCE, 1))).applyBlindly(0);
    assertEquals(Optional.of(before), backend.find(SOURCE));
  }

  @Test
  @DisplayName("an absent image cannot grow")
  void refusesToExpandNothing() throws Exception {
    if (lacks(VolumeBackend::expansion)) {
      return;
    }
    VolumeBackend.Expansion expansion = able(backend.expansion());
    assertKind(ErrorKind.NOT_FOUND, () -> PlanRun.run(expansion.expand(SOURCE, size())));
  }

  // Snapshots

  @Test
  @DisplayName("a snapshot keeps what its source held, whatever becomes of the source")
  void snapshots() throws Exception {
    if (lacks(VolumeBackend::snapshots)) {
      return;
    }
    Image cut = snapshot();
    assertEquals(SNAPSHOT, cut.name());
    fill(backend, SOURCE, "after");
    Image unused = restore(size());
    assertEquals("before", content(backend, TARGET));
    assertEquals("after", content(backend, SOURCE));
    Done ignored = PlanRun.run(backend.delete(SOURCE));
    assertEquals(Optional.of(cut), backend.find(SNAPSHOT));
    assertNothingLeft();
  }

  @Test
  @DisplayName(
      "a restored image has the wanted size, no metadata of the snapshot, a life of its own")
  void restores() throws Exception {
    if (lacks(VolumeBackend::snapshots)) {
      return;
    }
    Image unused = snapshot();
    Done written =
        PlanRun.run(backend.writeMetadata(SNAPSHOT, new TreeMap<>(Map.of("of", "snapshot"))));
    assertTrue(written.changed());
    long larger = backend.roundUp(size() + 1);
    assertEquals(larger, restore(larger).size());
    assertEquals(Map.of(), backend.metadata(TARGET));
    fill(backend, TARGET, "mine");
    Done ignored = PlanRun.run(able(backend.snapshots()).deleteSnapshot(SNAPSHOT));
    assertGone(SNAPSHOT);
    assertEquals("mine", content(backend, TARGET));
    assertEquals("before", content(backend, SOURCE));
  }

  @Test
  @DisplayName("a copy is at least as large as what it is a copy of")
  void copiesAreLargeEnough() throws Exception {
    if (lacks(VolumeBackend::snapshots)) {
      return;
    }
    Image unused = snapshot();
    assertTrue(restore(1).size() >= size());
  }

  @Test
  @DisplayName("OP-58 making a snapshot is broken off after any act: forward, or back to nothing")
  void snapshotIsInterruptible() throws Exception {
    if (lacks(VolumeBackend::snapshots)) {
      return;
    }
    Image source = PlanRun.run(create(SOURCE));
    fill(backend, SOURCE, "before");
    assertInterruptible(
        () -> able(backend.snapshots()).snapshot(SOURCE, spec(TARGET, size())),
        () -> able(backend.snapshots()).deleteSnapshot(TARGET),
        "");
    assertEquals(List.of(source), backend.images());
  }

  @Test
  @DisplayName("OP-45 restoring is broken off after any act: forward, or back to nothing")
  void restoreIsInterruptible() throws Exception {
    if (lacks(VolumeBackend::snapshots)) {
      return;
    }
    Image unused = snapshot();
    assertInterruptible(
        () -> able(backend.snapshots()).restore(SNAPSHOT, spec(TARGET, size())),
        () -> backend.delete(TARGET),
        "before");
    assertEquals(1, backend.images().stream().filter(i -> i.name().equals(SNAPSHOT)).count());
  }

  @Test
  @DisplayName("OP-69 deleting a snapshot is broken off after any act: deleting again completes it")
  void deleteSnapshotIsInterruptible() throws Exception {
    if (lacks(VolumeBackend::snapshots)) {
      return;
    }
    VolumeBackend.Snapshots snapshots = able(backend.snapshots());
    int length = new PlanRun<>(snapshots.deleteSnapshot(SNAPSHOT)).length();
    for (int acts = 0; acts <= length; acts++) {
      Image unused = snapshot();
      new PlanRun<>(able(backend.snapshots()).deleteSnapshot(SNAPSHOT)).first(acts);
      backend = reopen(backend);
      Done ignored = PlanRun.run(able(backend.snapshots()).deleteSnapshot(SNAPSHOT));
      assertGone(SNAPSHOT);
    }
    assertFalse(PlanRun.run(able(backend.snapshots()).deleteSnapshot(SNAPSHOT)).changed());
  }

  @Test
  @DisplayName("OP-48 a copy of something absent is not found, and leaves nothing")
  void refusesAbsentSources() throws Exception {
    if (!lacks(VolumeBackend::snapshots)) {
      VolumeBackend.Snapshots snapshots = able(backend.snapshots());
      assertLeavesNothing(snapshots.snapshot(SOURCE, spec(SNAPSHOT, size())));
      assertLeavesNothing(snapshots.restore(SNAPSHOT, spec(TARGET, size())));
    }
    Done unused = PlanRun.run(backend.delete(SOURCE));
    if (!lacks(VolumeBackend::cloning)) {
      assertLeavesNothing(able(backend.cloning()).cloneImage(SOURCE, spec(TARGET, size())));
    }
  }

  // Clones

  @Test
  @DisplayName("a clone holds what its source held; nothing temporary outlives both")
  void clones() throws Exception {
    if (lacks(VolumeBackend::cloning)) {
      return;
    }
    VolumeBackend.Cloning cloning = able(backend.cloning());
    Image unused = PlanRun.run(create(SOURCE));
    fill(backend, SOURCE, "before");
    long larger = backend.roundUp(size() + 1);
    Image clone = PlanRun.run(cloning.cloneImage(SOURCE, spec(TARGET, larger)));
    assertEquals(larger, clone.size());
    assertEquals("before", content(backend, TARGET));
    fill(backend, TARGET, "mine");
    assertEquals("before", content(backend, SOURCE));
    Done first = PlanRun.run(backend.delete(SOURCE));
    assertEquals("mine", content(backend, TARGET));
    Done second = PlanRun.run(backend.delete(TARGET));
    assertTrue(first.changed() && second.changed());
    assertEquals(List.of(), backend.images());
    assertNothingLeft();
  }

  @Test
  @DisplayName("OP-37 cloning is broken off after any act: forward, or back to nothing")
  void cloneIsInterruptible() throws Exception {
    if (lacks(VolumeBackend::cloning)) {
      return;
    }
    Image source = PlanRun.run(create(SOURCE));
    fill(backend, SOURCE, "before");
    assertInterruptible(
        () -> able(backend.cloning()).cloneImage(SOURCE, spec(TARGET, size())),
        () -> backend.delete(TARGET),
        "before");
    assertEquals(List.of(source), backend.images());
    Done ignored = PlanRun.run(backend.delete(SOURCE));
    assertEquals(List.of(), backend.images());
    assertNothingLeft();
  }

  @Test
  @DisplayName("after closing, acts fail")
  void actsFailAfterClosing() throws Exception {
    StepPlan<Image> plan = create(SOURCE);
    backend.close();
    assertKind(ErrorKind.UNAVAILABLE, () -> PlanRun.run(plan));
  }
}
