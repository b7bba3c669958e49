package dev.evenkeel.tck.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.Image;
import dev.evenkeel.api.volume.ImageSpec;
import dev.evenkeel.api.volume.StepPlan;
import dev.evenkeel.api.volume.VolumeBackend;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * What the stock handlers and the operation journal rely on in a {@link VolumeBackend}. Extended by
 * the authors of backends in their tests; needs JUnit 5. Abilities that a backend does not have are
 * skipped, not failed.
 *
 * <p>The acts are driven as an operation drives them, and broken off after each of them: going on
 * must end as if nothing had happened, and going back must leave nothing.
 */
public abstract class VolumeBackendContract {
  private static final String SOURCE = "csi-vol-00000000-0000-0000-0000-00000000000a";
  private static final String TARGET = "csi-vol-00000000-0000-0000-0000-00000000000b";
  private static final String SNAPSHOT = "csi-snap-00000000-0000-0000-0000-00000000000c";

  private VolumeBackend backend;

  /** For JUnit. */
  @SuppressWarnings("NullAway.Init") // the backend is opened before each test
  protected VolumeBackendContract() {}

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

  // Images

  @Test
  @DisplayName("a new image is found under its name, with its size, and is listed")
  void createsAnImage() throws Exception {
    Image made = PlanRun.run(create(SOURCE));
    assertEquals(SOURCE, made.name());
    assertEquals(size(), made.size());
    assertFalse(made.id().isEmpty());
    assertEquals(Optional.of(made), backend.find(SOURCE));
    assertEquals(List.of(made), backend.images());
    assertEquals("", content(backend, SOURCE));
    assertNothingLeft();
  }

  @Test
  @DisplayName("an image that was made is found by the probes, and not made again")
  void adoptsWhatIsThere() throws Exception {
    Image made = PlanRun.run(create(SOURCE));
    fill(backend, SOURCE, "kept");
    PlanRun<Image> again = new PlanRun<>(create(SOURCE));
    assertTrue(again.isDone());
    assertEquals(made, again.all());
    assertEquals(0, again.applied());
    assertEquals("kept", content(backend, SOURCE));
  }

  @Test
  @DisplayName(
      "making an image is broken off anywhere: going on completes it, going back clears it")
  void createIsInterruptible() throws Exception {
    assertInterruptible(() -> create(TARGET), () -> backend.delete(TARGET), "");
  }

  @Test
  @DisplayName("the probes change nothing")
  void probesChangeNothing() throws Exception {
    assertFalse(new PlanRun<>(create(SOURCE)).isDone());
    assertEquals(List.of(), backend.images());
    assertNothingLeft();
  }

  @Test
  @DisplayName("undoing twice is the same as once")
  void undoesTwice() throws Exception {
    Image unused = PlanRun.run(create(SOURCE));
    new PlanRun<>(create(SOURCE)).back();
    StepPlan<Image> plan = create(SOURCE);
    plan.last().undo(new RunContext(), new Image(SOURCE, "gone", size()));
    assertGone(SOURCE);
  }

  @Test
  @DisplayName("an image that is too small for a later attempt grows")
  void growsWhatWasBegunSmaller() throws Exception {
    Image unused = PlanRun.run(create(SOURCE));
    fill(backend, SOURCE, "kept");
    long larger = backend.roundUp(size() + 1);
    Image grown = PlanRun.run(backend.create(new ImageSpec(SOURCE, larger, parameters())));
    assertEquals(larger, grown.size());
    assertEquals("kept", content(backend, SOURCE));
  }

  @Test
  @DisplayName("what is not there is not found, has no metadata and is not in use")
  void knowsWhatIsAbsent() throws Exception {
    assertEquals(Optional.empty(), backend.find(SOURCE));
    assertFalse(backend.inUse(SOURCE));
    assertKind(ErrorKind.NOT_FOUND, () -> backend.metadata(SOURCE));
    assertTrue(backend.available().orElse(0) >= 0);
  }

  @Test
  @DisplayName("a name that leads elsewhere is refused as invalid")
  void refusesNames() throws Exception {
    for (String name : List.of("../x", "a/b", "..", "", "/etc", "a\0b", "x".repeat(300))) {
      ImageSpec spec = new ImageSpec(name, size(), parameters());
      assertKind(ErrorKind.INVALID, () -> PlanRun.run(backend.create(spec)));
      assertKind(ErrorKind.INVALID, () -> PlanRun.run(backend.delete(name)));
    }
    assertEquals(List.of(), backend.images());
  }

  @Test
  @DisplayName("acts keep their names, and no two images share one")
  void namesItsActs() throws Exception {
    List<String> names = new PlanRun<>(create(SOURCE)).names();
    assertEquals(names, new PlanRun<>(create(SOURCE)).names());
    assertEquals(names.size(), new HashSet<>(names).size());
    assertTrue(Collections.disjoint(names, new PlanRun<>(create(TARGET)).names()), names::toString);
  }

  // Sizes and parameters

  @Test
  @DisplayName("sizes are rounded up, once, and never down")
  void roundsUp() {
    long before = 0;
    for (long bytes : List.of(1L, 1000L, 1L << 20, (1L << 30) - 1, 1L << 30, (1L << 30) + 1)) {
      long rounded = backend.roundUp(bytes);
      assertTrue(rounded >= bytes && rounded >= before, () -> bytes + " became " + rounded);
      assertEquals(rounded, backend.roundUp(rounded));
      before = rounded;
    }
    assertTrue(backend.roundUp(backend.defaultSize()) >= backend.defaultSize());
  }

  @Test
  @DisplayName("a size beyond all limits is out of range, and does not overflow")
  void refusesHugeSizes() {
    try {
      assertEquals(Long.MAX_VALUE, backend.roundUp(Long.MAX_VALUE));
    } catch (EvenkeelException refused) {
      assertEquals(ErrorKind.OUT_OF_RANGE, refused.kind());
    }
  }

  @Test
  @DisplayName("parameters that it does not know are refused, all at once")
  void refusesParameters() {
    backend.checkParameters(parameters());
    SortedMap<String, String> wrong = new TreeMap<>(Map.of("no-such-1", "a", "no-such-2", "b"));
    InvalidInputException refused =
        assertThrows(InvalidInputException.class, () -> backend.checkParameters(wrong));
    assertEquals(2, refused.faults().size());
  }

  // Deleting

  @Test
  @DisplayName("OP-53 deleting removes everything; deleting again, or what never was, is fine")
  void deletes() throws Exception {
    assertFalse(PlanRun.run(backend.delete(SOURCE)).changed());
    Image unused = PlanRun.run(create(SOURCE));
    fill(backend, SOURCE, "going");
    assertTrue(PlanRun.run(backend.delete(SOURCE)).changed());
    assertGone(SOURCE);
    assertFalse(PlanRun.run(backend.delete(SOURCE)).changed());
    assertNothingLeft();
  }

  @Test
  @DisplayName("OP-51 deleting is broken off after any act: deleting again completes it")
  void deleteIsInterruptible() throws Exception {
    int length = new PlanRun<>(backend.delete(SOURCE)).length();
    for (int acts = 0; acts <= length; acts++) {
      Image unused = PlanRun.run(create(SOURCE));
      new PlanRun<>(backend.delete(SOURCE)).first(acts);
      backend = reopen(backend);
      Done ignored = PlanRun.run(backend.delete(SOURCE));
      assertGone(SOURCE);
      assertTrue(new PlanRun<>(backend.delete(SOURCE)).isDone());
    }
  }

  @Test
  @DisplayName("no act of a removal counts as done while the image is in place")
  void deleteIsNotDoneBefore() throws Exception {
    Image unused = PlanRun.run(create(SOURCE));
    StepPlan<Done> plan = backend.delete(SOURCE);
    assertFalse(new PlanRun<>(StepPlan.of(plan.last())).isDone());
  }

  @Test
  @DisplayName("deleting clears what a broken-off creation has left")
  void deleteClearsHalfMade() throws Exception {
    int length = new PlanRun<>(create(SOURCE)).length();
    for (int acts = 0; acts < length; acts++) {
      new PlanRun<>(create(SOURCE)).first(acts);
      backend = reopen(backend);
      Done ignored = PlanRun.run(backend.delete(SOURCE));
      assertGone(SOURCE);
    }
  }

  // Metadata

  @Test
  @DisplayName("metadata are written whole, read back, and go with the image")
  void keepsMetadata() throws Exception {
    Image unused = PlanRun.run(create(SOURCE));
    assertEquals(Map.of(), backend.metadata(SOURCE));
    SortedMap<String, String> first = new TreeMap<>(Map.of("a", "1 = ä\n%", "b/c", "2"));
    assertTrue(PlanRun.run(backend.writeMetadata(SOURCE, first)).changed());
    assertEquals(first, backend.metadata(SOURCE));
    assertTrue(new PlanRun<>(StepPlan.of(backend.writeMetadata(SOURCE, first))).isDone());
    SortedMap<String, String> second = new TreeMap<>(Map.of("a", "3"));
    Done done = PlanRun.run(backend.writeMetadata(SOURCE, second));
    assertTrue(done.changed());
    assertEquals(second, backend.metadata(SOURCE));
    Done ignored = PlanRun.run(backend.delete(SOURCE));
    Image again = PlanRun.run(create(SOURCE));
    assertEquals(Map.of(), backend.metadata(again.name()));
  }

  @Test
  @DisplayName("metadata of an absent image cannot be written")
  void refusesMetadataOfNothing() {
    SortedMap<String, String> metadata = new TreeMap<>(Map.of("a", "1"));
    assertKind(ErrorKind.NOT_FOUND, () -> PlanRun.run(backend.writeMetadata(SOURCE, metadata)));
    assertNothingLeft();
  }

  // Expanding

  @Test
  @DisplayName("OP-71 an image grows, keeps what it holds, and grows once")
  void expands() throws Exception {
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
    VolumeBackend.Expansion expansion = able(backend.expansion());
    Image before = PlanRun.run(create(SOURCE));
    assertEquals(before, PlanRun.run(expansion.expand(SOURCE, 1)));
    new PlanRun<>(StepPlan.of(expansion.expand(SOURCE, 1))).applyBlindly(0);
    assertEquals(Optional.of(before), backend.find(SOURCE));
  }

  @Test
  @DisplayName("an absent image cannot grow")
  void refusesToExpandNothing() throws Exception {
    VolumeBackend.Expansion expansion = able(backend.expansion());
    assertKind(ErrorKind.NOT_FOUND, () -> PlanRun.run(expansion.expand(SOURCE, size())));
  }

  // Snapshots

  @Test
  @DisplayName("a snapshot keeps what its source held, whatever becomes of the source")
  void snapshots() throws Exception {
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
    Image unused = snapshot();
    assertTrue(restore(1).size() >= size());
  }

  @Test
  @DisplayName("OP-58 making a snapshot is broken off after any act: forward, or back to nothing")
  void snapshotIsInterruptible() throws Exception {
    VolumeBackend.Snapshots unused = able(backend.snapshots());
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
    if (backend.snapshots().isPresent()) {
      VolumeBackend.Snapshots snapshots = backend.snapshots().get();
      assertLeavesNothing(snapshots.snapshot(SOURCE, spec(SNAPSHOT, size())));
      assertLeavesNothing(snapshots.restore(SNAPSHOT, spec(TARGET, size())));
    }
    if (backend.cloning().isPresent()) {
      assertLeavesNothing(backend.cloning().get().cloneImage(SOURCE, spec(TARGET, size())));
    }
  }

  // Clones

  @Test
  @DisplayName("a clone holds what its source held; nothing temporary outlives both")
  void clones() throws Exception {
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
    VolumeBackend.Cloning unused = able(backend.cloning());
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

  // Small parts

  private long size() {
    return backend.roundUp(1);
  }

  private ImageSpec spec(String image, long size) {
    return new ImageSpec(image, size, parameters());
  }

  private StepPlan<Image> create(String image) {
    return backend.create(spec(image, size()));
  }

  /** A snapshot of a source that holds "before". */
  private Image snapshot() throws Exception {
    VolumeBackend.Snapshots snapshots = able(backend.snapshots());
    Image unused = PlanRun.run(create(SOURCE));
    fill(backend, SOURCE, "before");
    return PlanRun.run(snapshots.snapshot(SOURCE, spec(SNAPSHOT, size())));
  }

  private Image restore(long size) throws Exception {
    return PlanRun.run(able(backend.snapshots()).restore(SNAPSHOT, spec(TARGET, size)));
  }

  /** Breaks the making of TARGET off after each act, and goes on, goes back, or deletes it. */
  private void assertInterruptible(
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

  private void assertLeavesNothing(StepPlan<Image> plan) throws Exception {
    assertKind(ErrorKind.NOT_FOUND, () -> PlanRun.run(plan));
    new PlanRun<>(plan).back();
    assertEquals(List.of(), backend.images());
    assertNothingLeft();
  }

  private void assertGone(String image) throws Exception {
    assertEquals(Optional.empty(), backend.find(image));
    assertTrue(backend.images().stream().noneMatch(i -> i.name().equals(image)));
    assertNothingLeft();
  }

  private void assertNothingLeft() {
    try {
      assertEquals(List.of(), backend.leftovers());
    } catch (Exception e) {
      throw new AssertionError("leftovers could not be listed", e);
    }
  }

  private static <A> A able(Optional<A> ability) {
    assumeTrue(ability.isPresent(), "this backend has no such ability");
    return ability.orElseThrow();
  }

  private static void assertKind(ErrorKind kind, Executable call) {
    Exception thrown = assertThrows(Exception.class, call);
    assertEquals(kind, EvenkeelException.kindOf(thrown), thrown::toString);
    assertNotEquals("", String.valueOf(thrown.getMessage()));
  }
}
