package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.loop.ExternalSource;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.api.txn.Probe;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.Steps;
import dev.evenkeel.codec.jackson.JacksonEventCodec;
import dev.evenkeel.controller.Rig.Mode;
import dev.evenkeel.controller.core.LoopConfig;
import dev.evenkeel.controller.manual.ManualLoop;
import dev.evenkeel.datastore.MemoryDatastore;
import dev.evenkeel.txn.Action;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is under way when leadership is lost, and won again. */
@DisplayName("A loop that loses the leadership")
@Timeout(60)
final class LeadershipTest {
  private static final Event RESYNC = DatastoreResync.of(InputState.empty());

  private static Rig rig(UnaryOperator<LoopConfig.Builder> config) {
    return new Rig(Mode.MANUAL, false, config, builder -> builder).resync();
  }

  private static void led(Rig rig, boolean leads) {
    ManualLoop loop = (ManualLoop) rig.loop;
    loop.led(leads);
    loop.run();
  }

  private static void puts(Rec handler, String key) {
    handler.onUpdate =
        (event, turn) -> {
          handler.onUpdate = (e, t) -> "";
          turn.txn().put(new K(key), "1");
          return "";
        };
  }

  private static long count(Rig rig, String what) {
    return rig.trace.stream().filter(what::equals).count();
  }

  @Test
  @DisplayName("EW-16 does not heal until it leads again, and then it can")
  void healing() {
    try (Rig rig = rig(config -> config)) {
      ManualLoop loop = (ManualLoop) rig.loop;
      loop.hold(action -> true);
      puts(rig.a, "k");
      rig.outside.failing.add("k");
      Submission<Void> e = loop.pushEvent(Ev.of("e"));
      loop.run();
      led(rig, false);
      loop.releaseAll();
      assertEquals("applied with errors", Rig.await(e).word());
      loop.advance(Duration.ofMinutes(1));
      assertEquals(0, count(rig, "a.R(2)"));

      led(rig, true);
      loop.advance(Duration.ofSeconds(10));
      rig.outside.failing.clear();
      rig.a.onResync =
          (event, turn) -> {
            rig.a.onResync = (again, t) -> {};
            throw new IllegalStateException("E1");
          };
      assertFalse(rig.does(RESYNC).isSuccess());
      assertEquals(LoopState.STARTING, loop.status().state());
      loop.advance(Duration.ofSeconds(5));
      assertEquals(LoopState.RUNNING, loop.status().state());
    }
  }

  @Test
  @DisplayName("EL-23 has one periodic healing in each period, however often it has led")
  void periodic() {
    try (Rig rig = rig(config -> config.periodicHealing(Duration.ofMinutes(1)))) {
      led(rig, false);
      led(rig, true);
      assertTrue(rig.does(RESYNC).isSuccess());
      rig.trace.clear();
      rig.advance(Duration.ofMinutes(1));
      rig.traced("done(healing-resync,applied)");
    }
  }

  @Test
  @DisplayName("EW-6 opens the gate for a resync that began while it leads, not for an older one")
  void gate() {
    try (Rig rig = rig(config -> config)) {
      ManualLoop loop = (ManualLoop) rig.loop;
      rig.a.onResync = (event, turn) -> turn.txn().put(new K("k"), "1");
      loop.hold(action -> true);
      Submission<Void> old = loop.pushEvent(RESYNC);
      loop.run();
      led(rig, false);
      led(rig, true);
      loop.releaseAll();
      assertTrue(Rig.await(old).isSuccess());
      assertEquals(LoopState.STARTING, loop.status().state());
      assertTrue(rig.does(RESYNC).isSuccess());
      assertEquals(LoopState.RUNNING, loop.status().state());
    }
  }

  @Test
  @DisplayName("JT-4 takes over a late return when it leads again")
  void lateReturn() {
    try (Rig rig = rig(config -> config)) {
      ManualLoop loop = (ManualLoop) rig.loop;
      loop.hold(action -> true);
      puts(rig.a, "k");
      Submission<Void> e =
          loop.pushEvent(new Ev("e", EventSpec.bestEffort().deadline(Duration.ofSeconds(3))));
      loop.advance(Duration.ofSeconds(3));
      assertInstanceOf(Outcome.Unfinished.class, Rig.await(e));
      led(rig, false);
      loop.releaseAll();
      led(rig, true);
      rig.a.onResync = (event, turn) -> turn.txn().put(new K("k"), "2");
      assertTrue(rig.does(RESYNC).isSuccess());
      assertEquals("{k=2}", rig.outside.values.toString());
      assertEquals(Optional.of("2"), loop.values().applied(new K("k")));
    }
  }

  @Test
  @DisplayName("JT-2 plans no operation that was admitted before, even when it leads again")
  void operation() {
    ItemHandler items = new ItemHandler();
    MemoryDatastore store = MemoryDatastore.create();
    try (Rig rig =
        new Rig(
                Mode.MANUAL,
                config -> config,
                builder ->
                    builder.handlers(items).datastore(store, JacksonEventCodec.of(DoItem.TYPE)))
            .resync()) {
      ManualLoop loop = (ManualLoop) rig.loop;
      loop.hold(action -> action.kind() != Action.Kind.APPLY);
      Submission<String> make = loop.pushEvent(DoItem.make("x"));
      loop.run();
      led(rig, false);
      led(rig, true);
      loop.releaseAll();
      assertInstanceOf(Outcome.Dropped.class, Rig.await(make));
      assertEquals("[]", items.found.toString());
      assertEquals(0, loop.status().running());
    }
  }

  @Test
  @DisplayName("shows its handlers no resync whose sources have answered too late")
  void sources() {
    try (Rig rig = sourced(() -> InputState.empty())) {
      ManualLoop loop = (ManualLoop) rig.loop;
      loop.hold(action -> true);
      Submission<Void> resync = loop.pushEvent(RESYNC);
      loop.run();
      led(rig, false);
      loop.releaseAll();
      assertInstanceOf(Outcome.Dropped.class, Rig.await(resync));
      rig.traced("state(STANDBY)", "done(datastore-resync,dropped)");
    }
  }

  @Test
  @DisplayName("JT-18 an aborting or hurried loop shows its handlers no resync either")
  void sourcesOfTheDying() {
    try (Rig rig =
        sourced(
            () -> {
              throw new StackOverflowError("on a worker");
            })) {
      assertInstanceOf(Outcome.Dropped.class, rig.does(RESYNC));
      rig.traced("state(ABORTING)", "done(datastore-resync,dropped)");
    }
    Rig rig = sourced(InputState::empty);
    ManualLoop loop = (ManualLoop) rig.loop;
    loop.hold(action -> true);
    Submission<Void> resync = loop.pushEvent(RESYNC);
    loop.run();
    loop.close(Duration.ofSeconds(3));
    assertInstanceOf(Outcome.Dropped.class, Rig.await(resync));
  }

  @Test
  @DisplayName("JT-14 fences what an event does to its end with the epoch in which it began")
  void epoch() {
    AtomicReference<Epoch> epoch = new AtomicReference<>(new Epoch(1));
    List<Epoch> seen = new ArrayList<>();
    try (Rig rig =
        new Rig(Mode.MANUAL, false, config -> config, builder -> builder.epoch(epoch::get))
            .resync()) {
      ManualLoop loop = (ManualLoop) rig.loop;
      rig.a.onUpdate =
          (event, turn) -> {
            turn.txn().step(look("one", seen));
            turn.txn().step(look("two", seen));
            return "";
          };
      loop.hold(action -> action.kind() == Action.Kind.APPLY && action.target().equals("one"));
      Submission<Void> e = loop.pushEvent(Ev.of("e"));
      loop.run();
      led(rig, false);
      epoch.set(new Epoch(3));
      led(rig, true);
      loop.releaseAll();
      assertTrue(Rig.await(e).isSuccess());
      assertEquals(List.of(new Epoch(1), new Epoch(1)), seen);
    }
  }

  private static Step<String> look(String name, List<Epoch> seen) {
    return Steps.step(name, String.class)
        .probe(context -> Probe.absent())
        .apply(
            context -> {
              seen.add(context.epoch());
              return name;
            })
        .forwardOnly();
  }

  @Test
  @DisplayName("EL 32 an event whose calls have begun when the loop aborts is not called dropped")
  void abortsInTheMiddle() {
    try (Rig rig = rig(config -> config)) {
      rig.a.onUpdate =
          (event, turn) -> {
            turn.txn().step(look("one", new ArrayList<>()));
            turn.txn()
                .step(
                    Steps.step("two", String.class)
                        .probe(context -> Probe.absent())
                        .apply(
                            context -> {
                              throw new StackOverflowError("on a worker");
                            })
                        .forwardOnly());
            return "";
          };
      assertInstanceOf(Outcome.Unfinished.class, rig.does(Ev.reverting("e")));
      assertEquals(LoopState.ABORTING, rig.loop.status().state());
      assertEquals(0, count(rig, "a.V(e)"));
    }
  }

  private static Rig sourced(Callable<InputState> snapshot) {
    ExternalSource source =
        new ExternalSource() {
          @Override
          public String name() {
            return "outside";
          }

          @Override
          public int priority() {
            return 1;
          }

          @Override
          public InputState snapshot() throws Exception {
            return snapshot.call();
          }
        };
    return new Rig(Mode.MANUAL, config -> config, builder -> builder.externalSource(source));
  }
}
