package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.event.Shutdown;
import dev.evenkeel.api.loop.LoopClosedException;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.controller.Rig.Mode;
import dev.evenkeel.controller.core.LoopInput;
import dev.evenkeel.controller.core.LoopObserver;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Closing a loop: what it says, and how long it takes; what is refused. */
@DisplayName("Closing a loop")
@Timeout(60)
final class ClosingTest {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-27 gives what became of the shutdown, its error included")
  void shutdownOutcome(Mode mode) {
    Rig good = Rig.started(mode);
    assertTrue(good.loop.close(LIMIT).orElseThrow().isSuccess());
    assertTrue(good.loop.close(LIMIT).orElseThrow().isSuccess());

    Rig bad = Rig.started(mode);
    bad.b.onUpdate =
        (event, turn) -> {
          if (event instanceof Shutdown) {
            throw new IllegalStateException("E9");
          }
          return "";
        };
    Outcome<Void> outcome = bad.loop.close(LIMIT).orElseThrow();
    assertFalse(outcome.isSuccess());
    assertTrue(outcome.failures().get(0).message().contains("E9"));

    Rig never = new Rig(mode);
    assertEquals(Optional.empty(), never.loop.close(LIMIT));
  }

  @Test
  @DisplayName("JT-18 takes no longer than its limit, however many quick calls an event makes")
  void manyQuickCalls() {
    Rig rig = new Rig(Mode.MANUAL, false, config -> config, builder -> builder).resync();
    rig.a.onUpdate =
        (event, turn) -> {
          for (int i = 0; i < 1000 && event instanceof Ev; i++) {
            turn.txn().put(new K("k" + i), "1");
          }
          return "";
        };
    rig.outside.onSet = () -> rig.clock.advance(Duration.ofMillis(9));
    Submission<Void> e = rig.loop.pushEvent(Ev.of("e"));
    Instant from = rig.clock.now();
    Optional<Outcome<Void>> shutdown = rig.loop.close(Duration.ofSeconds(1));
    Duration took = Duration.between(from, rig.clock.now());
    assertTrue(took.compareTo(Duration.ofMillis(1100)) < 0, took.toString());
    assertTrue(rig.outside.values.size() < 150, "calls: " + rig.outside.values.size());
    assertFalse(Rig.await(e).isSuccess());
    assertTrue(shutdown.orElseThrow().isSuccess());
    assertEquals(LoopState.CLOSED, rig.loop.status().state());
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("JT-10 refused pushes are among the recorded inputs")
  void refusalsAreRecorded(Mode mode) {
    List<LoopInput.Refused> refused = Collections.synchronizedList(new ArrayList<>());
    LoopObserver observer =
        new LoopObserver() {
          @Override
          public void onInput(long turn, Instant now, LoopInput input) {
            if (input instanceof LoopInput.Refused refusal) {
              refused.add(refusal);
            }
          }
        };
    try (Rig rig = new Rig(mode, c -> c.capacity(2), builder -> builder.observer(observer))) {
      var one = rig.push(Ev.of("e1"));
      var two = rig.push(Ev.of("e2"));
      for (int i = 0; i < 3; i++) {
        assertThrows(
            dev.evenkeel.api.loop.EventQueueFullException.class,
            () -> {
              var unused = rig.loop.pushEvent(Ev.of("e3"));
            });
      }
      rig.settle();
      assertEquals(3, refused.stream().mapToLong(LoopInput.Refused::full).sum());
      rig.loop.close(LIMIT);
      assertInstanceOf(Outcome.Dropped.class, Rig.await(one));
      assertInstanceOf(Outcome.Dropped.class, Rig.await(two));
      assertThrows(
          LoopClosedException.class,
          () -> {
            var unused = rig.loop.pushEvent(Ev.of("e4"));
          });
    }
  }
}
