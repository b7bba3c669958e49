package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.loop.EventLoop;
import dev.evenkeel.api.loop.EventQueueFullException;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.LoopClosedException;
import dev.evenkeel.api.loop.LoopListener;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.controller.Rig.Mode;
import dev.evenkeel.controller.core.LoopConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What threads do to the ring at once: pushing, closing, interrupting. */
@DisplayName("The ring")
@Timeout(60)
final class RingRacesTest {
  private static EventLoop started(Rec handler, int slots, int capacity) {
    EventLoop loop =
        EventLoops.builder("races")
            .handlers(handler)
            .config(LoopConfig.builder().ringSlots(slots).capacity(capacity).build())
            .start();
    assertTrue(Rig.await(loop.pushEvent(DatastoreResync.of(InputState.empty()))).isSuccess());
    return loop;
  }

  private static Rec silent() {
    return new Rec("a", new ArrayList<>()) {
      @Override
      public String update(
          dev.evenkeel.api.event.UpdateEvent event, dev.evenkeel.api.handler.Turn turn)
          throws Exception {
        return onUpdate.on(event, turn);
      }
    };
  }

  @ParameterizedTest(name = "{0} slots")
  @ValueSource(ints = {2, 1024})
  @DisplayName("EL-31 as many as the capacity wait; the next is refused; none is lost or reordered")
  void full(int slots) throws Exception {
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Rec handler = silent();
    handler.onUpdate =
        (event, turn) -> {
          order.add(Rec.nameOf(event));
          if (order.size() == 1) {
            inside.countDown();
            go.await();
          }
          return "";
        };
    try (EventLoop loop = started(handler, slots, 1000)) {
      List<Submission<Void>> accepted = new ArrayList<>();
      accepted.add(loop.pushEvent(Ev.of("0")));
      inside.await();
      int room = Math.min(slots, 1000);
      for (int i = 1; i <= room; i++) {
        accepted.add(loop.pushEvent(Ev.of("" + i)));
      }
      assertThrows(EventQueueFullException.class, () -> push(loop, "no"));
      assertThrows(EventQueueFullException.class, () -> push(loop, "no", Duration.ofMillis(20)));
      Thread waiter = new Thread(() -> pushQuietly(loop, "last"));
      waiter.start();
      while (waiter.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      go.countDown();
      waiter.join();
      for (Submission<Void> submission : accepted) {
        assertTrue(Rig.await(submission).isSuccess());
      }
      assertTrue(Rig.await(loop.pushEvent(Ev.of("end"))).isSuccess());
      List<String> expected = new ArrayList<>();
      for (int i = 0; i <= room; i++) {
        expected.add("" + i);
      }
      expected.addAll(List.of("last", "end"));
      assertEquals(expected, order);
      int most = loop.status().highWater();
      assertTrue(most == room || (most == room + 1 && slots == 2), "high water: " + most);
    }
  }

  private static void push(EventLoop loop, String name) {
    var unused = loop.pushEvent(Ev.of(name));
  }

  private static void push(EventLoop loop, String name, Duration limit)
      throws InterruptedException {
    var unused = loop.pushEvent(Ev.of(name), limit);
  }

  private static void pushQuietly(EventLoop loop, String name) {
    try {
      push(loop, name, Rig.LONG);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest(name = "{0} slots")
  @ValueSource(ints = {2, 1024})
  @DisplayName("pushes that race a close: each accepted has one outcome, each refused never runs")
  void closeRaces(int slots) throws Exception {
    for (int round = 0; round < 30; round++) {
      Set<String> ran = ConcurrentHashMap.newKeySet();
      Rec handler = silent();
      handler.onUpdate =
          (event, turn) -> {
            if (!ran.add(Rec.nameOf(event))) {
              throw new AssertionError("twice: " + event);
            }
            return "";
          };
      EventLoop loop = started(handler, slots, 64);
      List<Submission<Void>> accepted = Collections.synchronizedList(new ArrayList<>());
      Set<String> names = ConcurrentHashMap.newKeySet();
      AtomicInteger full = new AtomicInteger();
      CountDownLatch some = new CountDownLatch(20);
      List<Thread> producers = new ArrayList<>();
      for (int p = 0; p < 3; p++) {
        String prefix = "p" + p + "-";
        Thread producer =
            new Thread(
                () -> {
                  for (int i = 0; ; i++) {
                    try {
                      accepted.add(loop.pushEvent(Ev.of(prefix + i)));
                      names.add(prefix + i);
                      some.countDown();
                    } catch (EventQueueFullException e) {
                      full.incrementAndGet();
                    } catch (LoopClosedException e) {
                      return;
                    }
                  }
                });
        producer.start();
        producers.add(producer);
      }
      some.await();
      loop.close();
      for (Thread producer : producers) {
        producer.join();
      }
      int applied = 0;
      for (Submission<Void> submission : accepted) {
        Outcome<Void> outcome = submission.await(Duration.ofSeconds(10));
        applied += outcome instanceof Outcome.Applied ? 1 : 0;
      }
      ran.remove("shutdown");
      assertEquals(ran.size(), applied);
      assertTrue(names.containsAll(ran), "a refused event ran");
      assertEquals(0, loop.status().waiting());
    }
  }

  @Test
  @DisplayName("start and close at once, many times: nothing hangs, nothing is lost")
  void startAndClose() {
    for (int i = 0; i < 300; i++) {
      EventLoop loop = EventLoops.builder("quick").handlers(silent()).start();
      Submission<Void> resync = loop.pushEvent(DatastoreResync.of(InputState.empty()));
      Submission<Void> event = loop.pushEvent(Ev.of("e"));
      loop.close();
      assertTrue(resync.outcome().toCompletableFuture().isDone());
      assertTrue(event.outcome().toCompletableFuture().isDone());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(value = Mode.class, mode = EnumSource.Mode.EXCLUDE, names = "MANUAL")
  @DisplayName("an interrupt of the loop thread, idle or at work, loses nothing")
  void interrupt(Mode mode) {
    AtomicReference<Thread> loopThread = new AtomicReference<>(Thread.currentThread());
    try (Rig rig = Rig.started(mode)) {
      rig.a.onUpdate =
          (event, turn) -> {
            loopThread.set(Thread.currentThread());
            if (Rec.nameOf(event).endsWith("7")) {
              Thread.currentThread().interrupt();
            }
            return "";
          };
      for (int i = 0; i < 200; i++) {
        assertTrue(rig.does(Ev.of("e" + i)).isSuccess());
        java.util.Objects.requireNonNull(loopThread.get()).interrupt();
      }
      assertEquals(200, rig.trace.stream().filter(t -> t.startsWith("a.U")).count());
    }
  }

  @Test
  @DisplayName("what depends on an outcome runs on the answers' thread, never on the loop's")
  void dependents() throws Exception {
    Rec handler = silent();
    AtomicReference<String> loopThread = new AtomicReference<>("");
    CountDownLatch go = new CountDownLatch(1);
    handler.onUpdate =
        (event, turn) -> {
          loopThread.set(Thread.currentThread().getName());
          go.await();
          return "";
        };
    try (EventLoop loop = started(handler, 16, 16)) {
      Submission<Void> second = loop.pushEvent(Ev.of("second"));
      List<String> threads = Collections.synchronizedList(new ArrayList<>());
      CountDownLatch ran = new CountDownLatch(2);
      var unused =
          second
              .outcome()
              .thenAccept(
                  o -> {
                    threads.add(Thread.currentThread().getName());
                    ran.countDown();
                    throw new IllegalStateException("a dependent that fails");
                  });
      var unused2 =
          second
              .outcome()
              .thenRunAsync(
                  () -> {
                    threads.add(Thread.currentThread().getName());
                    ran.countDown();
                  });
      go.countDown();
      assertTrue(ran.await(20, TimeUnit.SECONDS));
      assertFalse(threads.contains(loopThread.get()));
      assertEquals(Set.of("evenkeel-races-answers"), Set.copyOf(threads));
    }
  }

  @Test
  @DisplayName("what is attached while the outcome comes runs once, and never on the loop's thread")
  void dependentsRace() {
    Set<String> threads = ConcurrentHashMap.newKeySet();
    AtomicInteger ran = new AtomicInteger();
    int events = 3_000;
    try (EventLoop loop = started(silent(), 64, 64)) {
      for (int i = 0; i < events; i++) {
        CompletionStage<?> outcome = loop.pushEvent(Ev.of("e" + i)).outcome();
        for (int spin = 0; spin < i % 97; spin++) {
          Thread.onSpinWait();
        }
        CompletionStage<?> seen =
            i % 2 == 0 ? outcome : ((CompletableFuture<?>) outcome).minimalCompletionStage();
        CompletableFuture<Void> after = new CompletableFuture<>();
        var unused =
            seen.thenRun(
                () -> {
                  threads.add(Thread.currentThread().getName());
                  ran.incrementAndGet();
                  after.complete(null);
                });
        after.orTimeout(20, TimeUnit.SECONDS).join();
      }
    }
    assertEquals(events, ran.get());
    assertFalse(threads.contains("evenkeel-races"), threads::toString);
    assertTrue(threads.contains("evenkeel-races-answers"), "the race was never won: " + threads);
  }

  @ParameterizedTest(name = "{0} records")
  @ValueSource(ints = {0, 2})
  @DisplayName("JT-17 the history shows what runs, even one that is off or full of others")
  void historyShowsWhatRuns(int most) throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Rec handler = silent();
    handler.onUpdate =
        (event, turn) -> {
          if (Rec.nameOf(event).equals("held")) {
            inside.countDown();
            go.await();
          }
          return "";
        };
    LoopConfig config = LoopConfig.builder().historyRecords(most).build();
    try (EventLoop loop = EventLoops.builder("shown").handlers(handler).config(config).start()) {
      Rig.await(loop.pushEvent(DatastoreResync.of(InputState.empty())));
      for (int i = 0; i < 5_000; i++) {
        Rig.await(loop.pushEvent(Ev.of("e" + i)));
      }
      assertEquals(most, loop.history().first(10).size());
      Submission<Void> held = loop.pushEvent(Ev.of("held"));
      inside.await();
      EventRecord runs = loop.history().last(1).get(0);
      assertEquals(List.of("held", held.id()), List.of(runs.description(), runs.id()));
      assertTrue(runs.end().isEmpty() && runs.outcome().isEmpty());
      assertEquals(runs, loop.history().bySequence(runs.sequence()).orElseThrow());
      go.countDown();
      Rig.await(held);
      assertEquals(most, loop.history().last(10).size());
      assertEquals(most > 0, loop.history().bySequence(runs.sequence()).isPresent());
    }
  }

  @Test
  @DisplayName("nobody but the loop completes an outcome")
  void outcomesAreTheLoops() {
    CountDownLatch go = new CountDownLatch(1);
    Rec handler = silent();
    handler.onUpdate =
        (event, turn) -> {
          go.await();
          return "";
        };
    try (EventLoop loop = started(handler, 16, 16)) {
      Submission<Void> submission = loop.pushEvent(Ev.of("e"));
      assertTrue(submission.outcome().toCompletableFuture().cancel(true));
      CompletableFuture<Outcome<Void>> raw =
          (CompletableFuture<Outcome<Void>>) submission.outcome();
      assertFalse(raw.cancel(true));
      assertFalse(raw.complete(new Outcome.Dropped<>(submission.id(), List.of())));
      assertSame(raw, raw.completeAsync(() -> new Outcome.Dropped<>(submission.id(), List.of())));
      assertFalse(submission.outcome().toCompletableFuture().isDone());
      go.countDown();
      assertTrue(Rig.await(submission).isSuccess());
    }
  }

  @Test
  @DisplayName("close from the loop thread begins, and returns at once")
  void closeFromInside() {
    Rec handler = silent();
    AtomicReference<EventLoop> self = new AtomicReference<>();
    handler.onUpdate =
        (event, turn) -> {
          EventLoop loop = self.get();
          if (loop != null) {
            loop.close();
          }
          return "";
        };
    EventLoop loop = started(handler, 16, 16);
    self.set(loop);
    Submission<Void> one = loop.pushEvent(Ev.of("e"));
    assertTrue(Rig.await(one).isSuccess());
    loop.close();
    assertThrows(LoopClosedException.class, () -> push(loop, "late"));
  }

  @Test
  @DisplayName("close ends within its limit though a handler blocks for ever")
  void stuckHandler() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Rec handler = silent();
    handler.onUpdate =
        (event, turn) -> {
          inside.countDown();
          go.await();
          return "";
        };
    EventLoop loop =
        EventLoops.builder("stuck")
            .handlers(handler)
            .config(LoopConfig.builder().shutdownLimit(Duration.ofMillis(50)).build())
            .start();
    Rig.await(loop.pushEvent(DatastoreResync.of(InputState.empty())));
    Submission<Void> stuck = loop.pushEvent(Ev.of("stuck"));
    Submission<Void> behind = loop.pushEvent(Ev.of("behind"));
    inside.await();
    loop.close(Duration.ofMillis(50));
    assertFalse(stuck.outcome().toCompletableFuture().isDone());
    go.countDown();
    assertTrue(Rig.await(stuck).isSuccess());
    assertInstanceOf(Outcome.Dropped.class, Rig.await(behind));
  }

  @Test
  @DisplayName("a listener and a dependent that throw change nothing")
  void throwingListener() {
    try (EventLoop loop =
        EventLoops.builder("listened")
            .handlers(silent())
            .listener(
                new dev.evenkeel.api.loop.LoopListener() {
                  @Override
                  public void onBegin(dev.evenkeel.api.loop.EventRecord record) {
                    throw new IllegalStateException("begin");
                  }

                  @Override
                  public void onEnd(dev.evenkeel.api.loop.EventRecord record) {
                    throw new StackOverflowError("end");
                  }
                })
            .start()) {
      assertTrue(Rig.await(loop.pushEvent(DatastoreResync.of(InputState.empty()))).isSuccess());
      assertTrue(Rig.await(loop.pushEvent(Ev.of("e"))).isSuccess());
    }
  }

  @Test
  @DisplayName("EW-18 who has an outcome sees all that its turn has changed")
  void outcomeLast() throws Exception {
    CountDownLatch answered = new CountDownLatch(1);
    AtomicReference<String> seen = new AtomicReference<>("");
    LoopListener slow =
        new LoopListener() {
          @Override
          public void onState(LoopState before, LoopState after) {
            if (after == LoopState.RUNNING) {
              try {
                seen.set("answered before: " + answered.await(50, TimeUnit.MILLISECONDS));
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            }
          }
        };
    try (Rig rig = new Rig(Mode.RING_OF_2, config -> config, b -> b.listener(slow))) {
      Submission<Void> resync = rig.loop.pushEvent(DatastoreResync.of(InputState.empty()));
      var unused = resync.outcome().thenRun(answered::countDown);
      assertTrue(Rig.await(resync).isSuccess());
      assertTrue(rig.loop.status().ready());
      assertEquals("answered before: false", seen.get());
    }
  }

  @Test
  @DisplayName("an interrupt shortens the waiting for the close, and the loop ends all the same")
  void interruptedClose() throws Exception {
    Rig rig = Rig.started(Mode.RING_OF_2);
    Thread.currentThread().interrupt();
    rig.close();
    assertTrue(Thread.interrupted(), "the interrupt is kept");
    rig.until(() -> rig.loop.status().state() == LoopState.CLOSED);
    rig.until(
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("evenkeel-test-answers")));
  }
}
