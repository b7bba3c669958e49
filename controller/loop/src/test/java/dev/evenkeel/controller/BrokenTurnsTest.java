package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.election.LeaderElection;
import dev.evenkeel.api.election.Leadership;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.api.loop.LoopThreadBlockedException;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.codec.jackson.JacksonEventCodec;
import dev.evenkeel.controller.Rig.Mode;
import dev.evenkeel.controller.core.LoopClock;
import dev.evenkeel.controller.core.LoopCore;
import dev.evenkeel.controller.manual.ManualClock;
import dev.evenkeel.controller.manual.ManualLoop;
import dev.evenkeel.datastore.MemoryDatastore;
import dev.evenkeel.txn.Action;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What goes wrong inside the loop, between its turns, and in what stands around it. */
@DisplayName("When the loop itself is hurt")
@Timeout(60)
final class BrokenTurnsTest {
  private final ItemHandler items = new ItemHandler();
  private final MemoryDatastore store = MemoryDatastore.create();

  private Rig rig(Mode mode, int workers, UnaryOperator<EventLoops.Builder> more) {
    return new Rig(
            mode,
            config -> config.workers(workers),
            builder ->
                more.apply(
                    builder.handlers(items).datastore(store, JacksonEventCodec.of(DoItem.TYPE))))
        .resync();
  }

  /** A clock whose counter breaks in the middle of a turn. */
  private static final class BreakingClock implements LoopClock {
    final ManualClock clock = new ManualClock();
    volatile boolean broken;

    @Override
    public Instant now() {
      return clock.now();
    }

    @Override
    public long nanos() {
      if (broken && isInTurn()) {
        throw new IllegalStateException("broken");
      }
      return clock.nanos();
    }

    private static boolean isInTurn() {
      return StackWalker.getInstance()
          .walk(frames -> frames.anyMatch(f -> f.getClassName().equals(LoopCore.class.getName())));
    }

    @Override
    public void park(Optional<Instant> until) {
      clock.park(until);
    }

    @Override
    public void wake(Thread sleeper) {
      clock.wake(sleeper);
    }
  }

  @Test
  @DisplayName("a turn that fails while an operation goes on answers its event at once")
  void completion() throws Exception {
    BreakingClock clock = new BreakingClock();
    Rig rig = rig(Mode.RING_OF_2, 2, builder -> builder.clock(clock));
    clock.broken = true;
    Submission<String> make = rig.loop.pushEvent(DoItem.make("x"));
    assertInstanceOf(Outcome.Unfinished.class, make.await(Duration.ofSeconds(5)));
    assertEquals(LoopState.ABORTING, rig.loop.status().state());
    assertEquals(0, rig.loop.status().running());
    rig.close();
  }

  @Test
  @DisplayName("JT-2 a script that waits for a worker does not begin once leadership is lost")
  void waitingScript() {
    try (Rig rig = rig(Mode.MANUAL, 1, builder -> builder)) {
      ManualLoop loop = (ManualLoop) rig.loop;
      loop.hold(action -> true);
      Submission<String> one = loop.pushEvent(DoItem.make("x"));
      Submission<String> two = loop.pushEvent(DoItem.make("y"));
      loop.run();
      loop.held().get(0).release();
      // The first one is planned, and waits for the worker that loads for the second.
      assertEquals("[make:New]", items.found.toString());
      assertEquals(1, loop.held().size());
      assertEquals(Action.Kind.LOAD, loop.held().get(0).action().kind());
      loop.led(false);
      loop.releaseAll();
      assertInstanceOf(Outcome.Dropped.class, Rig.await(one));
      assertInstanceOf(Outcome.Dropped.class, Rig.await(two));
      assertEquals("[]", items.things.toString());
      assertEquals("{made={}}", loop.handlerState().toString());
      assertEquals(0, loop.status().running());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("JT-12 what an old event's handlers cannot put back in a recovery is healed")
  void recoveryHeals(Mode mode) {
    try (Rig rig = rig(mode, 2, builder -> builder)) {
      items.failing.add("x2");
      items.failing.add("undo x1");
      rig.asks(DoItem.make("x"));
      items.failing.clear();
      rig.advance(Duration.ofMinutes(10));
      rig.trace.clear();
      items.more =
          (event, turn) -> {
            if (turn.found() instanceof dev.evenkeel.api.handler.Found.Interrupted) {
              turn.onRevert(
                  () -> {
                    throw new IllegalStateException("E7");
                  });
            }
            return "";
          };
      assertTrue(rig.asks(new DoItem("make", "x", "other", 0)).isSuccess());
      assertEquals(LoopState.DEGRADED, rig.loop.status().state());
      assertTrue(rig.loop.status().reason().orElse("").contains("E7"));
      rig.advance(Duration.ofSeconds(5));
      assertTrue(rig.trace.contains("done(healing-resync,applied)"), rig.trace.toString());
      assertTrue(
          rig.loop.history().last(20).stream()
              .flatMap(record -> record.handlers().stream())
              .anyMatch(call -> call.revert() && call.failure().isPresent()));
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("waiting for operations on the loop's thread is an immediate error")
  void waitForPending(Mode mode) {
    try (Rig rig = rig(mode, 2, builder -> builder)) {
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      items.more =
          (event, turn) -> {
            try {
              var unused = rig.loop.operations().waitForPending(Duration.ofSeconds(1));
            } catch (RuntimeException refused) {
              thrown.set(refused);
            }
            return "";
          };
      assertTrue(rig.asks(DoItem.make("x")).isSuccess());
      assertInstanceOf(LoopThreadBlockedException.class, thrown.get());
    }
  }

  @Test
  @DisplayName("EW-5 a loop whose election cannot even be asked is closed, and start throws")
  void election() {
    IllegalStateException no = new IllegalStateException("no election");
    LeaderElection election =
        new LeaderElection() {
          @Override
          public CompletionStage<Leadership> campaign(String candidate) {
            throw no;
          }

          @Override
          public AutoCloseable observe(
              java.util.function.Consumer<Optional<LeaderElection.Leader>> leader) {
            return () -> {};
          }

          @Override
          public void close() {}
        };
    EventLoops.Builder builder = EventLoops.builder("leaking").election(election, "me");
    assertSame(no, assertThrows(IllegalStateException.class, builder::start));
    assertFalse(
        Thread.getAllStackTraces().keySet().stream()
            .anyMatch(t -> t.getName().equals("evenkeel-leaking") && t.isAlive()));
  }

  @Test
  @DisplayName("JT-4 JT-7 what was left alone while a call hung is compared when it has returned")
  void dirtyAfterALateReturn() {
    try (Rig rig = new Rig(Mode.MANUAL, false, config -> config, builder -> builder).resync()) {
      ManualLoop loop = (ManualLoop) rig.loop;
      loop.hold(action -> true);
      rig.a.onUpdate =
          (event, turn) -> {
            turn.txn().put(new K("k"), Rec.nameOf(event));
            return "";
          };
      rig.a.onResync = (event, turn) -> turn.txn().put(new K("k"), "wanted");
      Submission<Void> e =
          loop.pushEvent(
              new Ev(
                  "hung",
                  dev.evenkeel.api.event.EventSpec.bestEffort().deadline(Duration.ofSeconds(1))));
      loop.advance(Duration.ofSeconds(1));
      assertInstanceOf(Outcome.Unfinished.class, Rig.await(e));
      Submission<Void> resync = loop.pushEvent(DatastoreResync.of(InputState.empty()));
      loop.run();
      var unused = Rig.await(resync);
      assertEquals("{}", rig.outside.values.toString());
      loop.releaseAll();
      assertEquals("{k=wanted}", rig.outside.values.toString());
      assertEquals(Optional.of("wanted"), loop.values().applied(new K("k")));
    }
  }
}
