package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.ExternalChange;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.api.txn.RetryPolicy;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.controller.Rig.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who sees to a value that failed: the engine, then the healing (JT-12, EW-16). */
class RetryingTest {
  private static final RetryPolicy TWICE =
      new RetryPolicy(Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 2, 0);

  private static Rig started(Mode mode) {
    return new Rig(mode, config -> config.retry(TWICE).healingAttempts(3), more -> more).resync();
  }

  private static void pass(Rig rig, int seconds) {
    for (int second = 0; second < seconds; second++) {
      rig.advance(Duration.ofSeconds(1));
    }
  }

  private static long count(Rig rig, String line) {
    return rig.trace.stream().filter(line::equals).count();
  }

  private static ValueState state(Rig rig, String key) {
    return rig.loop.values().status(new K(key)).state();
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("JT-12 a value whose retry succeeds is not healed, and the loop is not degraded")
  void mended(Mode mode) {
    try (Rig rig = started(mode)) {
      rig.a.onUpdate = put("x");
      rig.outside.failing.add("x");
      assertEquals("applied with errors", rig.does(Ev.of("e")).word());
      assertEquals(ValueState.RETRYING, state(rig, "x"));
      assertEquals(LoopState.RUNNING, rig.loop.status().state());
      rig.outside.failing.clear();

      pass(rig, 1);

      assertEquals(ValueState.CONFIGURED, state(rig, "x"));
      assertEquals("engine-upkeep", rig.loop.history().last(1).get(0).type());
      pass(rig, 60);
      assertEquals(1, count(rig, "done(engine-upkeep,applied)"));
      assertEquals(0, count(rig, "done(healing-resync,applied)"));
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("JT-12 healing's delay starts when the last retry has failed")
  void exhausted(Mode mode) {
    try (Rig rig = started(mode)) {
      rig.a.onUpdate = put("x");
      rig.outside.failing.add("x");
      rig.does(Ev.of("e"));
      pass(rig, 2);
      assertEquals(LoopState.RUNNING, rig.loop.status().state());
      assertEquals(ValueState.RETRYING, state(rig, "x"));

      pass(rig, 1);
      assertEquals(ValueState.FAILED, state(rig, "x"));
      assertEquals(LoopState.DEGRADED, rig.loop.status().state());
      assertEquals(2, count(rig, "done(engine-upkeep,applied with errors)"));
      pass(rig, 4);
      assertEquals(0, count(rig, "done(healing-resync,applied)"));

      pass(rig, 1);
      assertEquals(1, count(rig, "done(healing-resync,applied)"));
      assertEquals(LoopState.RUNNING, rig.loop.status().state());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName(
      "EL-21 a healing whose values fail to the last retry has failed, once for all of them")
  void healingEscalates(Mode mode) {
    try (Rig rig = started(mode)) {
      rig.a.onUpdate = put("x");
      rig.a.onResync =
          (event, turn) -> {
            turn.txn().put(new K("x"), "v");
            turn.txn().put(new K("y"), "v");
          };
      rig.outside.failing.add("x");
      rig.outside.failing.add("y");
      rig.does(Ev.of("e"));
      pass(rig, 9);
      assertEquals(1, count(rig, "done(healing-resync,applied with errors)"));
      pass(rig, 3);
      assertEquals(LoopState.DEGRADED, rig.loop.status().state());
      pass(rig, 8); // twice the delay by now
      assertEquals(1, count(rig, "done(healing-resync,applied with errors)"));
      pass(rig, 1);
      assertEquals(2, count(rig, "done(healing-resync,applied with errors)"));
      pass(rig, 60);
      assertEquals(LoopState.ABORTING, rig.loop.status().state());
      assertEquals(3, count(rig, "done(healing-resync,applied with errors)"));
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("JT-12 a handler's error is healed after its delay, whatever the engine tries again")
  void handlersError(Mode mode) {
    try (Rig rig = started(mode)) {
      rig.a.onUpdate = put("x");
      rig.b.onUpdate =
          (event, turn) -> {
            throw new IllegalStateException("E");
          };
      rig.outside.failing.add("x");
      rig.does(Ev.of("e"));
      assertEquals(LoopState.DEGRADED, rig.loop.status().state());
      rig.outside.failing.clear();
      pass(rig, 5);
      assertEquals(1, count(rig, "done(healing-resync,applied)"));
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL 30 what fails in an event that ignores errors is tried again, and never healed")
  void ignored(Mode mode) {
    try (Rig rig = started(mode)) {
      rig.a.onUpdate = put("x");
      rig.outside.failing.add("x");
      rig.does(new Ev("e", EventSpec.ignoreErrors()));
      pass(rig, 60);
      assertEquals(2, count(rig, "done(engine-upkeep,applied with errors)"));
      assertEquals(0, count(rig, "done(healing-resync,applied)"));
      assertEquals(LoopState.RUNNING, rig.loop.status().state());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("JT-12 a startup resync whose values are mended by retries has succeeded then")
  void startup(Mode mode) {
    try (Rig rig = new Rig(mode, config -> config.retry(TWICE), more -> more)) {
      rig.a.onResync = (event, turn) -> turn.txn().put(new K("x"), "v");
      rig.outside.failing.add("x");
      assertEquals("applied with errors", rig.does(DatastoreResync.of(InputState.empty())).word());
      assertFalse(rig.loop.status().ready());
      rig.outside.failing.clear();

      pass(rig, 1);

      assertTrue(rig.loop.status().ready());
      assertTrue(rig.does(Ev.of("e")).isSuccess());
      pass(rig, 60);
      assertEquals(0, count(rig, "done(healing-resync,applied)"));
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName(
      "EW-16 a resync in between mends it: the retry has nothing to do, and nothing is healed")
  void resyncBetween(Mode mode) {
    try (Rig rig = started(mode)) {
      rig.a.onUpdate = put("x");
      rig.a.onResync = (event, turn) -> turn.txn().put(new K("x"), "v");
      rig.outside.failing.add("x");
      rig.does(Ev.of("e"));
      rig.outside.failing.clear();
      assertTrue(rig.does(DatastoreResync.of(InputState.empty())).isSuccess());
      rig.outside.failing.add("x");

      pass(rig, 60);

      assertEquals(1, count(rig, "done(engine-upkeep,applied)"));
      assertEquals(LoopState.RUNNING, rig.loop.status().state());
      assertEquals("{x=v}", rig.outside.values.toString());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("Rule 36 a value that could not be put back is put back by a retry, without healing")
  void revert(Mode mode) {
    try (Rig rig = started(mode)) {
      rig.a.onUpdate = put("x");
      rig.does(Ev.of("e"));
      rig.a.onUpdate =
          (event, turn) -> {
            turn.txn().put(new K("x"), "new");
            turn.txn().put(new K("y"), "v");
            turn.txn().put(new K("z"), "v");
            return "";
          };
      rig.outside.failing.add("z");
      rig.outside.undeletable.add("y");
      assertEquals("reverted incompletely", rig.does(Ev.reverting("r")).word());
      assertEquals("{x=v, y=v}", rig.outside.values.toString());
      rig.outside.undeletable.clear();

      pass(rig, 60);

      assertEquals("{x=v}", rig.outside.values.toString());
      assertEquals(1, count(rig, "done(engine-upkeep,applied)"));
      assertEquals(0, count(rig, "done(healing-resync,applied)"));
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("Without a policy nothing is tried again, and healing comes at once")
  void without(Mode mode) {
    try (Rig rig = new Rig(mode, config -> config.withoutRetry(), more -> more).resync()) {
      rig.a.onUpdate = put("x");
      rig.outside.failing.add("x");
      rig.does(Ev.of("e"));
      assertEquals(ValueState.FAILED, state(rig, "x"));
      assertEquals(LoopState.DEGRADED, rig.loop.status().state());
      pass(rig, 5);
      assertEquals(
          List.of("done(healing-resync,applied)"),
          rig.trace.stream().filter(t -> t.startsWith("done(heal")).toList());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("TW-6 a handler can give a value a policy of its own, beside external values, too")
  void ownPolicy(Mode mode) {
    try (Rig rig = new Rig(mode, config -> config.withoutRetry(), more -> more).resync()) {
      TreeMap<Key<?>, Optional<Object>> changes = new TreeMap<>();
      changes.put(new K("x"), Optional.of("d"));
      assertTrue(rig.does(new ExternalChange("db", changes)).isSuccess());
      rig.a.onUpdate =
          (event, turn) -> {
            turn.txn().put(new K("x"), "v", TWICE);
            return "";
          };
      rig.outside.failing.add("x");
      rig.does(Ev.of("e"));
      assertEquals(ValueState.RETRYING, state(rig, "x"));
      rig.outside.failing.clear();
      pass(rig, 1);
      assertEquals("{x=d+v}", rig.outside.values.toString());
      assertEquals(LoopState.RUNNING, rig.loop.status().state());
    }
  }

  private static Rec.Update put(String key) {
    return (event, turn) -> {
      turn.txn().put(new K(key), "v");
      return "";
    };
  }
}
