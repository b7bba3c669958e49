package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.loop.EventQueueFullException;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.controller.Rig.Mode;
import dev.evenkeel.controller.manual.ManualLoop;
import dev.evenkeel.controller.metrics.LoopMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A week")
@Timeout(120)
final class WeekTest {
  private static final Duration STEP = Duration.ofSeconds(20);
  private static final int A_DAY = (int) (Duration.ofDays(1).toSeconds() / STEP.toSeconds());
  private static final long SLACK = 2 << 20;

  private final Random random = new Random(7);
  private long pushed;
  private long refused;
  private final long[] answered = {0};

  @Test
  @DisplayName("with faults, on virtual time: memory stays flat, and every event has one outcome")
  void week() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (Rig rig =
        new Rig(
            Mode.MANUAL,
            config ->
                config
                    .historyRecords(2_000)
                    .historyPermanent(Duration.ZERO)
                    .healingAttempts(1_000_000)
                    .periodicHealing(Duration.ofMinutes(10)),
            builder -> builder.metrics(LoopMetrics.in(registry)))) {
      rig.b.onUpdate = this::mayFail;
      rig.a.onUpdate =
          (event, turn) -> {
            turn.txn().put(new K("k" + random.nextInt(200)), "v" + random.nextInt(1000));
            if (random.nextInt(10) == 0) {
              turn.followUp(Co.of("follow", "f"));
            }
            return "";
          };
      rig.resync();
      day(rig);
      long first = heap(rig);
      day(rig);
      day(rig);
      long third = heap(rig);
      for (int i = 3; i < 7; i++) {
        day(rig);
      }
      long last = heap(rig);

      rig.b.onUpdate = (event, turn) -> "";
      rig.outside.failing.clear();
      ((ManualLoop) rig.loop).advance(Duration.ofHours(1));
      assertEquals(pushed, answered[0], "one outcome each");
      assertEquals(LoopState.RUNNING, rig.loop.status().state());
      assertTrue(pushed > 5L * A_DAY && refused == 0, () -> pushed + " and " + refused);
      assertTrue(
          third < first * 11 / 10 + SLACK && last < first * 11 / 10 + SLACK,
          () -> "bytes after a day " + first + ", three " + third + ", seven " + last);
    }
  }

  private String mayFail(
      dev.evenkeel.api.event.UpdateEvent event, dev.evenkeel.api.handler.Turn turn) {
    if (random.nextInt(500) == 0) {
      throw new IllegalStateException("planned");
    }
    return "b";
  }

  private void day(Rig rig) {
    ManualLoop loop = (ManualLoop) rig.loop;
    for (int i = 0; i < A_DAY; i++) {
      if (random.nextInt(200) == 0) {
        rig.outside.failing.add("k" + random.nextInt(200));
      } else if (random.nextInt(50) == 0) {
        rig.outside.failing.clear();
      }
      List<Submission<Void>> now = new ArrayList<>();
      try {
        switch (random.nextInt(4)) {
          case 0 -> now.add(loop.pushEvent(Ev.reverting("r")));
          case 1 -> {
            now.add(loop.pushEvent(Co.of("c", "same")));
            now.add(loop.pushEvent(Co.of("c", "same")));
          }
          default -> now.add(loop.pushEvent(Ev.of("e")));
        }
      } catch (EventQueueFullException full) {
        refused++;
      }
      pushed += now.size();
      for (Submission<Void> one : now) {
        var unused = one.outcome().thenAccept(outcome -> answered[0]++);
      }
      loop.advance(STEP);
      rig.trace.clear();
    }
  }

  /** What is reachable, after collections until it goes down no more. */
  private static long heap(Rig rig) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 6; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    assertTrue(rig.loop.status().capacity() > 0); // it is still reachable
    return least;
  }
}
