package dev.evenkeel.tck.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.Image;
import dev.evenkeel.api.volume.ImageSpec;
import dev.evenkeel.api.volume.StepPlan;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The part of the contract that every backend keeps: images, sizes, deleting, metadata. */
abstract class ImageContract extends BackendTests {
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
}
