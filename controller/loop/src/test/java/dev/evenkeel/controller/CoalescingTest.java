package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.loop.EventQueueFullException;
import dev.evenkeel.api.loop.LoopClosedException;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.codec.jackson.KeyTypes;
import dev.evenkeel.controller.Rig.Mode;
import dev.evenkeel.controller.recording.Recorder;
import dev.evenkeel.controller.recording.RecordingCodec;
import dev.evenkeel.controller.recording.Replayer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Events of one key that wait become one; deadlines of what waits. */
@DisplayName("JT-21 coalescing")
@Timeout(60)
final class CoalescingTest {
  /** A request that would like to be coalesced. */
  record Wish(String name) implements Request<String> {
    static final EventType<Wish> TYPE = EventType.of("wish", Wish.class);

    @Override
    public EventType<Wish> type() {
      return TYPE;
    }

    @Override
    public Class<String> answerType() {
      return String.class;
    }

    @Override
    public EventSpec spec() {
      return EventSpec.bestEffort().coalesceBy("x");
    }
  }

  /** An event of another type with the same key. */
  record Other(String name) implements UpdateEvent {
    static final EventType<Other> TYPE = EventType.of("other", Other.class);

    @Override
    public EventType<Other> type() {
      return TYPE;
    }

    @Override
    public EventSpec spec() {
      return EventSpec.bestEffort().coalesceBy("x");
    }
  }

  private static Rig owned(Mode mode) {
    return owned(mode, builder -> builder);
  }

  /** A loop that is owned by an event whose call hangs. */
  private static Rig owned(Mode mode, UnaryOperator<EventLoops.Builder> more) {
    Rig rig = new Rig(mode, false, config -> config, more).resync();
    rig.hold();
    rig.a.onUpdate =
        (event, turn) -> {
          rig.a.onUpdate = (e, t) -> "";
          turn.txn().put(new K("k"), "1");
          return "";
        };
    var unused = rig.push(Ev.of("owner"));
    rig.settle();
    if (mode != Mode.MANUAL) {
      rig.until(() -> rig.outside.entered.get() == 1);
    }
    rig.trace.clear();
    return rig;
  }

  private static Outcome<?> supersededBy(Submission<Void> old, Submission<Void> by) {
    Outcome.Superseded<?> outcome =
        assertInstanceOf(Outcome.Superseded.class, Rig.await(old), "not superseded");
    assertEquals(old.id(), outcome.event());
    assertEquals(by.id(), outcome.by().event());
    return outcome;
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("while a serial event owns the loop: the newest runs, at the oldest one's place")
  void whileOwned(Mode mode) {
    try (Rig rig = owned(mode)) {
      rig.c.selects = event -> false;
      rig.b.selects = event -> false;
      Submission<Void> one = rig.push(Co.of("x1", "x"));
      Submission<Void> other = rig.push(Co.of("y1", "y"));
      Submission<Void> two = rig.push(Co.of("x2", "x"));
      Submission<Void> three = rig.push(Co.of("x3", "x"));
      Submission<Void> last = rig.push(Ev.of("last"));
      rig.until(() -> rig.loop.status().waiting() == 3);
      assertFalse(one.outcome().toCompletableFuture().isDone());
      rig.release();
      assertTrue(supersededBy(one, three).isSuccess());
      assertTrue(supersededBy(two, three).isSuccess());
      assertTrue(Rig.await(three).isSuccess());
      assertTrue(Rig.await(other).isSuccess());
      assertTrue(Rig.await(last).isSuccess());
      assertEquals(0, rig.loop.status().waiting());
      assertEquals(
          List.of("a.U(x3)", "a.U(y1)", "a.U(last)"),
          rig.trace.stream().filter(text -> text.startsWith("a.U")).toList());
      assertEquals(
          List.of(
              "x1 (superseded by event " + three.id() + "): superseded",
              "x2 (superseded by event " + three.id() + "): superseded"),
          rig.loop.history().last(10).stream()
              .filter(record -> record.description().contains("superseded"))
              .map(record -> record.description() + ": " + record.outcome().orElse(""))
              .toList());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("behind the gate, too; and what fails is told to all")
  void behindTheGate(Mode mode) {
    try (Rig rig = new Rig(mode)) {
      rig.b.onUpdate =
          (event, turn) -> {
            throw new IllegalStateException("no");
          };
      Submission<Void> one = rig.push(Co.of("x1", "x"));
      Submission<Void> two = rig.push(Co.of("x2", "x"));
      rig.until(() -> rig.loop.status().waiting() == 1);
      rig.resync();
      Outcome<?> outcome = supersededBy(one, two);
      assertFalse(outcome.isSuccess());
      assertEquals(Rig.await(two).failures(), outcome.failures());
      assertThrows(Outcome.OutcomeException.class, outcome::throwIfFailed);
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("not of other types, keys, events without one, requests, or RevertOnFailure events")
  void never(Mode mode) {
    assertThrows(IllegalArgumentException.class, () -> EventSpec.revertOnFailure().coalesceBy("x"));
    try (Rig rig = owned(mode)) {
      List<Submission<?>> all = new ArrayList<>();
      all.add(rig.push(Co.of("x", "x")));
      all.add(rig.push(Co.of("y", "y")));
      all.add(rig.push(Co.of("z", "")));
      all.add(rig.push(Co.of("z", "")));
      all.add(rig.push(new Other("x")));
      all.add(rig.push(new Wish("x")));
      all.add(rig.push(new Wish("x")));
      rig.settle();
      assertEquals(7, rig.loop.status().waiting());
      rig.release();
      for (Submission<?> submission : all) {
        assertInstanceOf(Outcome.Applied.class, Rig.await(submission));
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("while a handler holds the loop's own thread, what waits in the ring is one")
  void whileAHandlerRuns(Mode mode) throws Exception {
    try (Rig rig = new Rig(mode).resync()) {
      CountDownLatch inside = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(mode == Mode.MANUAL ? 0 : 1);
      rig.a.onUpdate =
          (event, turn) -> {
            inside.countDown();
            go.await();
            return "";
          };
      Submission<Void> first = rig.push(Ev.of("first"));
      if (mode != Mode.MANUAL) {
        inside.await();
      }
      Submission<Void> one = rig.push(Co.of("x1", "x"));
      Submission<Void> two = rig.push(Co.of("x2", "x"));
      go.countDown();
      assertTrue(Rig.await(first).isSuccess());
      assertTrue(supersededBy(one, two).isSuccess());
      assertTrue(Rig.await(two).isSuccess());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("ten thousand pushes of one key take one place, and all have their outcome")
  void many(Mode mode) throws Exception {
    try (Rig rig = owned(mode)) {
      AtomicInteger ran = new AtomicInteger();
      rig.b.onUpdate =
          (event, turn) -> {
            ran.addAndGet(event instanceof Co ? 1 : 0);
            return "";
          };
      List<Submission<Void>> all = new ArrayList<>();
      for (int i = 0; i < 10_000; i++) {
        all.add(rig.push(Co.of("x" + i, "x")));
        if (mode == Mode.MANUAL && i % 500 == 0) {
          rig.settle();
        }
      }
      rig.until(() -> rig.loop.status().waiting() == 1);
      rig.release();
      for (Submission<Void> submission : all) {
        assertTrue(Rig.await(submission).isSuccess());
      }
      assertEquals(1, ran.get());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("beyond the limit the superseded keep their permits, and pushing is refused")
  void bounded(Mode mode) {
    try (Rig rig = new Rig(mode, config -> config.capacity(4).maxSuperseded(3), b -> b)) {
      List<Submission<Void>> all = new ArrayList<>();
      for (int i = 1; i <= 7; i++) {
        all.add(rig.push(Co.of("x" + i, "x")));
        rig.settle();
        assertEquals(Math.max(1, i - 3), rig.loop.status().waiting(), "after " + i);
      }
      assertThrows(
          EventQueueFullException.class,
          () -> {
            var unused = rig.loop.pushEvent(Co.of("x8", "x"));
          });
      rig.loop.close(Duration.ofSeconds(5));
      for (Submission<Void> old : all.subList(0, 6)) {
        supersededBy(old, all.get(6));
      }
      assertInstanceOf(Outcome.Dropped.class, Rig.await(all.get(6)));
      assertEquals(0, rig.loop.status().waiting());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("a deadline passes at its time while a serial event owns the loop; it never runs")
  void deadlineBehindTheOwner(Mode mode) {
    try (Rig rig = owned(mode)) {
      Submission<Void> waits = rig.push(new Co("late", "", 3));
      rig.until(() -> rig.loop.status().waiting() == 1);
      rig.settle();
      rig.advance(Duration.ofSeconds(3));
      Outcome<Void> outcome = Rig.await(waits);
      assertInstanceOf(Outcome.Refused.class, outcome);
      assertEquals(ErrorKind.DEADLINE_EXCEEDED, outcome.failures().get(0).kind());
      assertEquals(0, rig.loop.status().waiting());
      rig.release();
      rig.settle();
      assertFalse(rig.trace.contains("a.U(late)"));
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("a superseded event keeps its own deadline, before and after the survivor begins")
  void deadlineOfTheSuperseded(Mode mode) {
    try (Rig rig = owned(mode)) {
      Submission<Void> one = rig.push(new Co("x1", "x", 2));
      Submission<Void> two = rig.push(new Co("x2", "x", 4));
      Submission<Void> three = rig.push(new Co("x3", "x", 0));
      rig.until(() -> rig.loop.status().waiting() == 1);
      rig.settle();
      rig.advance(Duration.ofSeconds(2));
      assertInstanceOf(Outcome.Refused.class, Rig.await(one));
      rig.a.onUpdate =
          (event, turn) -> {
            turn.txn().put(new K("k"), "3");
            return "";
          };
      CountDownLatch before = rig.outside.open;
      rig.outside.open = new CountDownLatch(mode == Mode.MANUAL ? 0 : 1);
      before.countDown();
      if (rig.loop instanceof dev.evenkeel.controller.manual.ManualLoop manual) {
        manual.held().get(0).release();
      }
      rig.until(() -> rig.trace.contains("a.U(x3)"));
      rig.advance(Duration.ofSeconds(2));
      assertInstanceOf(Outcome.Unfinished.class, Rig.await(two));
      rig.release();
      assertTrue(Rig.await(three).isSuccess());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("JT-10 a recording of it replays to the same")
  void replays(Mode mode, @TempDir Path folder) throws Exception {
    Path file = folder.resolve("run.jsonl");
    List<Rec> again = new ArrayList<>();
    RecordingCodec codec =
        RecordingCodec.of(
            KeyTypes.of(K.TYPE), List.of(new Outside(true)), Co.TYPE, Other.TYPE, Wish.TYPE);
    try (Recorder recorder = Recorder.to(file, codec)) {
      try (Rig rig = new Rig(mode, config -> config, builder -> builder.observer(recorder))) {
        List<Submission<Void>> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
          all.add(rig.push(Co.of("x" + i, "x" + i % 3)));
          rig.settle();
        }
        rig.resync();
        for (Submission<Void> submission : all) {
          assertTrue(Rig.await(submission).isSuccess());
        }
      }
    }
    for (String name : List.of("a", "b", "c")) {
      again.add(new Rec(name, new ArrayList<>()));
    }
    assertEquals(Optional.empty(), Replayer.of(codec, again).replay(file).map(Object::toString));
    assertTrue(java.nio.file.Files.readString(file).contains("\"superseded\""));
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("JT-10 so does one with an owner, and deadlines that pass behind it")
  void replaysWithAnOwner(Mode mode, @TempDir Path folder) {
    Path file = folder.resolve("run.jsonl");
    RecordingCodec codec =
        RecordingCodec.of(KeyTypes.of(K.TYPE), List.of(new Outside(false)), Co.TYPE);
    Rec.Update puts =
        (event, turn) -> {
          turn.txn().put(new K("k"), Rec.nameOf(event));
          return "";
        };
    try (Recorder recorder = Recorder.to(file, codec);
        Rig rig = new Rig(mode, false, c -> c, builder -> builder.observer(recorder))) {
      rig.resync();
      rig.a.onUpdate = puts;
      rig.hold();
      Submission<Void> owner = rig.push(Co.of("owner", ""));
      Submission<Void> late = rig.push(new Co("late", "", 2));
      Submission<Void> one = rig.push(new Co("x1", "x", 3));
      Submission<Void> two = rig.push(new Co("x2", "x", 9));
      rig.until(() -> rig.loop.status().waiting() == 2);
      rig.settle();
      rig.advance(Duration.ofSeconds(4));
      assertInstanceOf(Outcome.Refused.class, Rig.await(late));
      assertInstanceOf(Outcome.Refused.class, Rig.await(one));
      rig.release();
      assertTrue(Rig.await(owner).isSuccess());
      assertTrue(Rig.await(two).isSuccess());
    }
    Rec a = new Rec("a", new ArrayList<>());
    a.onUpdate = puts;
    List<Rec> again = List.of(a, new Rec("b", new ArrayList<>()), new Rec("c", new ArrayList<>()));
    assertEquals(Optional.empty(), Replayer.of(codec, again).replay(file).map(Object::toString));
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(
      value = Mode.class,
      names = {"RING_OF_2", "RING_OF_1024"})
  @DisplayName("racing a close, each accepted event has one outcome, and every permit comes back")
  void racesClose(Mode mode) throws Exception {
    for (int round = 0; round < 50; round++) {
      AtomicInteger ran = new AtomicInteger();
      Rig rig = new Rig(mode, config -> config.capacity(16).maxSuperseded(8), b -> b).resync();
      rig.a.onUpdate =
          (event, turn) -> {
            ran.incrementAndGet();
            return "";
          };
      List<Submission<Void>> accepted = Collections.synchronizedList(new ArrayList<>());
      CountDownLatch go = new CountDownLatch(1);
      List<Thread> producers = new ArrayList<>();
      for (int p = 0; p < 3; p++) {
        int producer = p;
        Thread thread =
            new Thread(
                () -> {
                  await(go);
                  for (int i = 0; i < 100; i++) {
                    try {
                      accepted.add(rig.loop.pushEvent(Co.of("x" + i, "key" + (i + producer) % 3)));
                    } catch (EventQueueFullException | LoopClosedException refused) {
                      Thread.onSpinWait();
                    }
                  }
                });
        thread.start();
        producers.add(thread);
      }
      go.countDown();
      while (accepted.size() < round && producers.stream().anyMatch(Thread::isAlive)) {
        Thread.onSpinWait();
      }
      rig.close();
      for (Thread thread : producers) {
        thread.join();
      }
      int applied = 0;
      for (Submission<Void> submission : accepted) {
        applied += Rig.await(submission) instanceof Outcome.Applied<?> ? 1 : 0;
      }
      // The shutdown is one more that ran.
      assertEquals(applied + 1, ran.get());
      assertEquals(0, rig.loop.status().waiting());
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
