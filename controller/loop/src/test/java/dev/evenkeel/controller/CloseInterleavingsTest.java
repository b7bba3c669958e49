package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.loop.EventLoop;
import dev.evenkeel.api.loop.EventQueueFullException;
import dev.evenkeel.api.loop.LoopClosedException;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.controller.core.LoopConfig;
import dev.evenkeel.controller.manual.ManualClock;
import dev.evenkeel.controller.manual.ManualLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A close, between whatever else happens")
@Timeout(120)
final class CloseInterleavingsTest {
  private static final int ROUNDS = 10_000;
  private static final LoopConfig SMALL =
      LoopConfig.builder().capacity(4).ringSlots(2).maxFollowUps(4).build();

  private final Map<String, Integer> ran = new HashMap<>();

  private Rec counting() {
    Rec handler =
        new Rec("only", new ArrayList<>()) {
          @Override
          public void resync(
              dev.evenkeel.api.event.ResyncEvent event, dev.evenkeel.api.handler.Turn turn) {}

          @Override
          public String update(
              dev.evenkeel.api.event.UpdateEvent event, dev.evenkeel.api.handler.Turn turn) {
            ran.merge(Rec.nameOf(event), 1, Integer::sum);
            return "";
          }
        };
    return handler;
  }

  /** Steps of the loop, pushes, time and the close, in an order that the round's number says. */
  @Test
  @DisplayName("EL-30 10,000 orders of pushes, steps and a close: each accepted has one outcome")
  void seeded() {
    int dropped = 0;
    int applied = 0;
    int refused = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(round);
      ran.clear();
      ManualClock clock = new ManualClock();
      ManualLoop loop =
          EventLoops.builder("r").handlers(counting()).config(SMALL).clock(clock).manual(clock);
      Map<String, Submission<Void>> accepted = new LinkedHashMap<>();
      int pushes = 0;
      boolean closing = false;
      if (random.nextInt(4) > 0) {
        accepted.put("resync", loop.pushEvent(DatastoreResync.of(InputState.empty())));
      }
      int actions = 5 + random.nextInt(15);
      for (int i = 0; i < actions; i++) {
        switch (random.nextInt(closing ? 4 : 5)) {
          case 0, 1 -> {
            String name = "e" + pushes++;
            try {
              accepted.put(name, loop.pushEvent(Ev.of(name)));
            } catch (EventQueueFullException | LoopClosedException no) {
              refused++;
              assertFalse(ran.containsKey(name));
              accepted.remove(name);
            }
          }
          case 2 -> loop.step();
          case 3 -> loop.advance(Duration.ofSeconds(random.nextInt(20)));
          default -> {
            closing = true;
            loop.close(Duration.ofSeconds(random.nextInt(3)));
          }
        }
      }
      loop.close();
      assertEquals(LoopState.CLOSED, loop.status().state());
      for (Map.Entry<String, Submission<Void>> one : accepted.entrySet()) {
        Outcome<Void> outcome = one.getValue().outcome().toCompletableFuture().join();
        int times = ran.getOrDefault(one.getKey(), 0);
        boolean ends = outcome instanceof Outcome.Applied;
        applied += ends ? 1 : 0;
        dropped += ends ? 0 : 1;
        if (!one.getKey().equals("resync")) {
          assertEquals(ends ? 1 : 0, times, "round " + round + " " + one.getKey() + " " + outcome);
        }
      }
      ran.remove("shutdown");
      assertTrue(accepted.keySet().containsAll(ran.keySet()), "a refused event ran: " + round);
      assertEquals(0, loop.status().waiting());
    }
    assertTrue(applied > ROUNDS && dropped > ROUNDS / 10 && refused > ROUNDS / 10);
  }

  @Test
  @DisplayName(
      "EL-30 a real ring that is full while two threads push and one closes, again and again")
  void real() throws Exception {
    ExecutorService pushers = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < 500; round++) {
        Set<String> done = ConcurrentHashMap.newKeySet();
        Rec handler = new Rec("only", new ArrayList<>());
        handler.onUpdate =
            (event, turn) -> {
              assertTrue(done.add(Rec.nameOf(event)), "twice");
              return "";
            };
        EventLoop loop = EventLoops.builder("r").handlers(handler).config(SMALL).start();
        var resync = loop.pushEvent(DatastoreResync.of(InputState.empty()));
        List<Future<Map<String, Submission<Void>>>> futures = new ArrayList<>();
        for (int p = 0; p < 2; p++) {
          String prefix = "p" + p + "-";
          futures.add(pushers.submit(() -> push(loop, prefix)));
        }
        for (int i = round % 50; i > 0; i--) {
          Thread.onSpinWait();
        }
        loop.close(Duration.ofMillis(round % 3));
        assertTrue(resync.outcome().toCompletableFuture().isDone());
        int applied = 0;
        for (Future<Map<String, Submission<Void>>> future : futures) {
          for (Submission<Void> one : future.get(30, TimeUnit.SECONDS).values()) {
            applied += one.await(Duration.ofSeconds(30)) instanceof Outcome.Applied ? 1 : 0;
          }
        }
        done.remove("shutdown");
        assertEquals(done.size(), applied);
      }
    } finally {
      pushers.shutdownNow();
    }
  }

  private static Map<String, Submission<Void>> push(EventLoop loop, String prefix) {
    Map<String, Submission<Void>> accepted = new LinkedHashMap<>();
    for (int i = 0; ; i++) {
      try {
        accepted.put(prefix + i, loop.pushEvent(Ev.of(prefix + i)));
      } catch (EventQueueFullException full) {
        Thread.onSpinWait();
      } catch (LoopClosedException closed) {
        return accepted;
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Rig.Mode.class)
  @DisplayName("an AssertionError is one failed event; errors of the virtual machine are fatal")
  void errors(Rig.Mode mode) {
    for (Error fatal : List.of(new StackOverflowError("so"), new OutOfMemoryError("oom"))) {
      try (Rig rig = Rig.started(mode)) {
        rig.b.onUpdate =
            (event, turn) -> {
              if (Rec.nameOf(event).equals("assert")) {
                throw new AssertionError("no");
              } else if (Rec.nameOf(event).equals("fatal")) {
                throw fatal;
              }
              return "";
            };
        assertEquals("applied with errors", rig.does(Ev.of("assert")).word());
        assertEquals("applied", rig.does(Ev.of("well")).word());
        Outcome<Void> outcome = rig.does(Ev.of("fatal"));
        assertFalse(outcome.isSuccess(), outcome::toString);
        assertEquals(LoopState.ABORTING, rig.loop.status().state());
        Outcome<Void> later = Rig.await(rig.loop.pushEvent(Ev.of("later")));
        assertTrue(later instanceof Outcome.Dropped, later::toString);
      }
    }
  }
}
