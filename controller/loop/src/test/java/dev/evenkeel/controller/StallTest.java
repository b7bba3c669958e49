package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.api.loop.LoopStatus;
import dev.evenkeel.api.loop.Stall;
import dev.evenkeel.api.loop.StallListener;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.controller.core.LoopClock;
import dev.evenkeel.controller.core.LoopConfig;
import dev.evenkeel.controller.manual.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A loop whose thread does not move")
@Timeout(60)
final class StallTest {
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final WatchedClock clock = new WatchedClock();
  private final CountDownLatch inside = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);
  private final List<Stall> stalls = Collections.synchronizedList(new ArrayList<>());
  private final List<Duration> overs = Collections.synchronizedList(new ArrayList<>());
  private final Rig rig =
      new Rig(
          Rig.Mode.RING_OF_1024,
          config -> config.stallWarning(LOOK.multipliedBy(4)).stallLimit(LOOK.multipliedBy(8)),
          builder -> builder.clock(clock).onStall(new Failing()).onStall(new Listening()));

  /** Tells when the watch has looked: it parks again then. */
  private static final class WatchedClock implements LoopClock {
    final ManualClock clock = new ManualClock();
    private Instant next = Instant.MIN;

    @Override
    public Instant now() {
      return clock.now();
    }

    @Override
    public long nanos() {
      return clock.nanos();
    }

    @Override
    public void park(Optional<Instant> until) {
      if (Thread.currentThread().getName().endsWith("-watch")) {
        looked(until.orElse(Instant.MAX));
      }
      clock.park(until);
    }

    @Override
    public void wake(Thread sleeper) {
      clock.wake(sleeper);
    }

    private synchronized void looked(Instant until) {
      next = until;
      notifyAll();
    }

    /** So many looks of the watch, each at its time. */
    synchronized void looks(int times) throws InterruptedException {
      for (int i = 0; i <= times; i++) {
        while (!next.isAfter(clock.now())) {
          wait();
        }
        if (i < times) {
          clock.advance(LOOK);
        }
      }
    }
  }

  private static final class Failing implements StallListener {
    @Override
    public void onStall(Stall stall) {
      throw new IllegalStateException("a listener of a user's");
    }
  }

  private final class Listening implements StallListener {
    @Override
    public void onStall(Stall stall) {
      stalls.add(stall);
    }

    @Override
    public void onOver(Stall stall, Duration lasted) {
      overs.add(lasted);
    }
  }

  @AfterEach
  void close() {
    go.countDown();
    rig.close();
  }

  private void hold() {
    rig.b.onUpdate =
        (event, turn) -> {
          if (event.describe().equals("hold")) {
            inside.countDown();
            waitFor(go);
          }
          return "";
        };
  }

  private static void waitFor(CountDownLatch latch) {
    boolean interrupted = false;
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  @DisplayName("is named, dumped, and not ready from the second threshold on until it moves again")
  void held() throws InterruptedException {
    rig.resync();
    hold();
    clock.looks(0);
    Submission<Void> held = rig.loop.pushEvent(Ev.of("hold"));
    Submission<Void> next = rig.loop.pushEvent(Ev.of("next"));
    inside.await();
    clock.looks(3);
    assertEquals(List.of(), stalls);
    LoopStatus before = rig.loop.status();
    assertTrue(before.ready() && before.alive(LOOK.multipliedBy(3)));
    assertFalse(before.alive(LOOK.multipliedBy(2)));

    clock.looks(1);
    assertEquals(1, stalls.size());
    Stall warning = stalls.get(0);
    assertEquals(Stall.Level.WARNING, warning.level());
    assertEquals(Optional.of("b"), warning.handler());
    assertEquals(rig.loop.history().last(1).get(0).sequence(), warning.sequence().orElse(-1L));
    assertEquals("b update for event " + held.id() + " ev", warning.doing());
    assertEquals(LOOK.multipliedBy(4), Duration.between(warning.since(), warning.fired()));
    assertFalse(warning.dumped().isBefore(warning.fired()));
    assertEquals(1, warning.waiting());
    assertEquals(
        List.of(
            "event " + held.id() + " ev runs for PT4S",
            "event " + next.id() + " ev waits for PT4S"),
        warning.queue());
    assertTrue(
        warning.stack().stream().anyMatch(f -> f.getMethodName().equals("waitFor")),
        warning.stack().toString());
    assertTrue(rig.loop.status().ready(), "a warning is only told");

    clock.looks(4);
    assertEquals(2, stalls.size());
    LoopStatus after = rig.loop.status();
    assertFalse(after.ready());
    assertEquals(LoopState.RUNNING, after.state());
    assertEquals(Optional.of(stalls.get(1)), after.stall());
    assertTrue(after.notReady().orElse("").contains("b update for event"), after.toString());
    clock.looks(20);
    assertEquals(2, stalls.size(), "each is told once");

    go.countDown();
    assertEquals("applied", Rig.await(held).word());
    assertEquals("applied", Rig.await(next).word());
    rig.settle();
    assertTrue(rig.loop.status().ready(), "it comes back by itself");
    assertEquals(Optional.empty(), rig.loop.status().notReady());
    clock.looks(1);
    assertEquals(1, overs.size());
  }

  @Test
  @DisplayName("is alive and ready, however long, when it has nothing to do")
  void idle() throws InterruptedException {
    rig.resync();
    clock.looks(0);
    for (int i = 0; i < 30; i++) {
      clock.looks(1);
      rig.settle();
    }
    assertEquals(List.of(), stalls);
    rig.until(() -> rig.loop.status().held().isZero());
    assertTrue(rig.loop.status().ready() && rig.loop.status().alive(Duration.ZERO));
    rig.loop.close(Duration.ofSeconds(1));
    assertFalse(rig.loop.status().alive(Duration.ofDays(1)), "a closed one is not kept");
  }

  @Test
  @DisplayName("has thresholds in order, and none at all for a debugger")
  void thresholds() {
    LoopConfig.Builder wrong =
        LoopConfig.builder().stallWarning(Duration.ofSeconds(2)).stallLimit(Duration.ofSeconds(1));
    InvalidInputException refused = assertThrows(InvalidInputException.class, wrong::build);
    assertEquals("stallLimit", refused.faults().get(0).field());
    LoopConfig off = LoopConfig.builder().withoutStallWatch().build();
    assertTrue(off.stallWarning().isZero() && off.stallLimit().isZero());
  }
}
