package dev.evenkeel.tck.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.Image;
import dev.evenkeel.api.volume.ImageSpec;
import dev.evenkeel.api.volume.StepPlan;
import dev.evenkeel.api.volume.VolumeBackend;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.function.Executable;

/** What the contract tests of a backend stand on. */
abstract class BackendTests {
  static final String SOURCE = "csi-vol-00000000-0000-0000-0000-00000000000a";
  static final String TARGET = "csi-vol-00000000-0000-0000-0000-00000000000b";
  static final String SNAPSHOT = "csi-snap-00000000-0000-0000-0000-00000000000c";

  VolumeBackend backend;

  @SuppressWarnings("NullAway.Init") // the backend is opened before each test
  BackendTests() {}

  /** A backend without images. */
  protected abstract VolumeBackend open() throws Exception;

  /** The same backend as a new process would find it; by default, the same object. */
  protected VolumeBackend reopen(VolumeBackend before) throws Exception {
    return before;
  }

  /** Replaces what an image holds, as its user would. */
  protected abstract void fill(VolumeBackend backend, String image, String text) throws Exception;

  /** What {@link #fill} has put there; empty when nothing has. */
  protected abstract String content(VolumeBackend backend, String image) throws Exception;

  /** Parameters for the images of these tests. */
  protected SortedMap<String, String> parameters() {
    return Collections.emptySortedMap();
  }

  @BeforeEach
  void openBackend() throws Exception {
    backend = open();
  }

  @AfterEach
  void closeBackend() {
    backend.close();
    backend.close(); // idempotent
  }

  // Small parts

  long size() {
    return backend.roundUp(1);
  }

  ImageSpec spec(String image, long size) {
    return new ImageSpec(image, size, parameters());
  }

  StepPlan<Image> create(String image) {
    return backend.create(spec(image, size()));
  }

  /** A snapshot of a source that holds "before". */
  Image snapshot() throws Exception {
    VolumeBackend.Snapshots snapshots = able(backend.snapshots());
    Image unused = PlanRun.run(create(SOURCE));
    fill(backend, SOURCE, "before");
    return PlanRun.run(snapshots.snapshot(SOURCE, spec(SNAPSHOT, size())));
  }

  Image restore(long size) throws Exception {
    return PlanRun.run(able(backend.snapshots()).restore(SNAPSHOT, spec(TARGET, size)));
  }

  /** Breaks the making of TARGET off after each act, and goes on, goes back, or deletes it. */
  void assertInterruptible(
      Supplier<StepPlan<Image>> plan, Supplier<StepPlan<Done>> removal, String held)
      throws Exception {
    int length = new PlanRun<>(plan.get()).length();
    for (int acts = 0; acts <= length; acts++) {
      new PlanRun<>(plan.get()).first(acts);
      backend = reopen(backend);
      PlanRun<Image> onwards = new PlanRun<>(plan.get());
      Image made = onwards.all();
      assertEquals(Optional.of(made), backend.find(TARGET));
      assertTrue(new PlanRun<>(plan.get()).isDone());
      if (!held.isEmpty()) {
        assertEquals(held, content(backend, TARGET));
      }
      new PlanRun<>(plan.get()).back();
      assertGone(TARGET);

      new PlanRun<>(plan.get()).first(acts);
      backend = reopen(backend);
      new PlanRun<>(plan.get()).back();
      assertGone(TARGET);

      new PlanRun<>(plan.get()).first(acts);
      backend = reopen(backend);
      Done ignored = PlanRun.run(removal.get());
      assertGone(TARGET);
    }
  }

  void assertLeavesNothing(StepPlan<Image> plan) throws Exception {
    assertKind(ErrorKind.NOT_FOUND, () -> PlanRun.run(plan));
    new PlanRun<>(plan).back();
    assertEquals(List.of(), backend.images());
    assertNothingLeft();
  }

  void assertGone(String image) throws Exception {
    assertEquals(Optional.empty(), backend.find(image));
    assertTrue(backend.images().stream().noneMatch(i -> i.name().equals(image)));
    assertNothingLeft();
  }

  void assertNothingLeft() {
    try {
      assertEquals(List.of(), backend.leftovers());
    } catch (Exception e) {
      throw new AssertionError("leftovers could not be listed", e);
    }
  }

  /** Whether an ability is not there: then it is neither after a use nor in a new process. */
  boolean lacks(Function<VolumeBackend, Optional<?>> ability) throws Exception {
    if (ability.apply(backend).isPresent()) {
      return false;
    }
    Image unused = PlanRun.run(create(SOURCE));
    assertEquals(Optional.empty(), ability.apply(backend), "after a use");
    backend = reopen(backend);
    assertEquals(Optional.empty(), ability.apply(backend), "in a new process");
    return true;
  }

  /** An ability that is there; one that has come to lack fails the test. */
  static <A> A able(Optional<A> ability) {
    assertTrue(ability.isPresent(), "the backend has lost an ability");
    return ability.orElseThrow();
  }

  static void assertKind(ErrorKind kind, Executable call) {
    Exception thrown = assertThrows(Exception.class, call);
    assertEquals(kind, EvenkeelException.kindOf(thrown), thrown::toString);
    assertNotEquals("", String.valueOf(thrown.getMessage()));
  }
}
