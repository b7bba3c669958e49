package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.HealingResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.event.ResyncEvent;
import dev.evenkeel.api.event.StateChange;
import dev.evenkeel.api.handler.StateName;
import dev.evenkeel.api.loop.AbortEventException;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.FatalLoopException;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.controller.Rig.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The scenarios of the event loop reference, on all drivers. */
@DisplayName("The event loop")
@Timeout(60)
final class LoopScenariosTest {
  private static final Duration HEALING = Duration.ofSeconds(5);

  private static DatastoreResync resync() {
    return DatastoreResync.of(InputState.empty());
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-01 the gate delays events until a resync has succeeded")
  void gate(Mode mode) {
    try (Rig rig = new Rig(mode)) {
      rig.c.selects = event -> false;
      Submission<Void> u1 = rig.loop.pushEvent(Ev.of("u1"));
      rig.settle();
      Submission<Void> u2 = rig.loop.pushEvent(Ev.of("u2"));
      rig.settle();
      rig.traced();
      assertEquals(LoopState.STARTING, rig.loop.status().state());
      assertEquals(2, rig.loop.status().waiting());

      assertTrue(Rig.await(rig.loop.pushEvent(resync())).isSuccess());
      assertTrue(Rig.await(u1).isSuccess());
      assertTrue(Rig.await(u2).isSuccess());
      rig.settle();

      rig.traced(
          "a.R(1)",
          "b.R(1)",
          "done(datastore-resync,applied)",
          "state(RUNNING)",
          "a.U(u1)",
          "b.U(u1)",
          "done(u1,applied)",
          "a.U(u2)",
          "b.U(u2)",
          "done(u2,applied)");
      assertEquals(
          List.of("datastore-resync", "u1", "u2"),
          rig.loop.history().range(0, 2).stream().map(Rig::name).toList());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-03 follow-ups of the resync run before the delayed events")
  void followUpsAndDelayed(Mode mode) {
    try (Rig rig = new Rig(mode)) {
      rig.b.selects = event -> false;
      rig.c.selects = event -> false;
      rig.a.onResync = (event, turn) -> turn.followUp(Ev.of("f1"));
      Submission<Void> u1 = rig.loop.pushEvent(Ev.of("u1"));
      rig.settle();
      Submission<Void> u2 = rig.loop.pushEvent(Ev.of("u2"));
      rig.settle();
      rig.does(resync());
      Rig.await(u1);
      Rig.await(u2);
      rig.settle();
      assertEquals(
          List.of("datastore-resync", "f1", "u1", "u2"),
          rig.loop.history().first(9).stream().map(Rig::name).toList());
      assertEquals(Optional.of(0L), rig.loop.history().bySequence(1).orElseThrow().parent());
      assertEquals(Optional.empty(), rig.loop.history().bySequence(2).orElseThrow().parent());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-04 follow-ups run breadth first, before what waits")
  void breadthFirst(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      rig.a.onUpdate =
          (event, turn) -> {
            String name = Rec.nameOf(event);
            if (name.equals("e1")) {
              Submission<Void> e2 = rig.loop.pushEvent(Ev.of("e2"));
              assertFalse(e2.outcome().toCompletableFuture().isDone());
              turn.followUp(Ev.of("f1"));
              turn.followUp(Ev.of("f2"));
            } else if (name.equals("f1")) {
              turn.followUp(Ev.of("g1"));
            }
            return "";
          };
      for (int i = 0; i < 100; i++) {
        rig.does(Ev.of("e1"));
        List<EventRecord> last = rig.loop.history().last(5);
        assertEquals(List.of("e1", "f1", "f2", "g1", "e2"), last.stream().map(Rig::name).toList());
        long e1 = last.get(0).sequence();
        assertEquals(
            List.of(Optional.empty(), Optional.of(e1), Optional.of(e1), Optional.of(e1 + 1)),
            last.subList(0, 4).stream().map(EventRecord::parent).toList());
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName(
      "EL-05 forward events go through the list from the front, reverse ones from the back")
  void direction(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      rig.does(Ev.of("f"));
      rig.does(new Ev("r", EventSpec.bestEffort().reverse()));
      rig.does(resync());
      rig.traced(
          "a.U(f)",
          "b.U(f)",
          "c.U(f)",
          "done(f,applied)",
          "c.U(r)",
          "b.U(r)",
          "a.U(r)",
          "done(r,applied)",
          "a.R(2)",
          "b.R(2)",
          "c.R(2)",
          "done(datastore-resync,applied)");
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-06 input changes go forward with a value, reverse without")
  void inputDirection(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      rig.does(StateChange.put(new K("p"), Optional.empty(), "1"));
      assertEquals(List.of("a", "b", "c"), rig.loop.history().last(1).get(0).chain());
      rig.does(StateChange.delete(new K("p"), "1"));
      assertEquals(List.of("c", "b", "a"), rig.loop.history().last(1).get(0).chain());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-07 only the handlers that select an event see it; a downstream resync none")
  void filter(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      rig.b.selects = event -> Rec.nameOf(event).equals("x");
      rig.does(Ev.of("y"));
      rig.does(new HealingResync(HealingResync.Cause.PERIODIC, 1));
      rig.traced("a.U(y)", "c.U(y)", "done(y,applied)", "done(healing-resync,applied)");
      List<EventRecord> last = rig.loop.history().last(2);
      assertEquals(List.of("a", "c"), last.get(0).chain());
      assertEquals(List.of(), last.get(1).chain());
      assertTrue(last.get(1).transaction().isPresent());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-08 one event, one transaction; the last write of a key wins")
  void oneTransaction(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      rig.a.onUpdate =
          (event, turn) -> {
            turn.txn().put(new K("z"), "old");
            return "";
          };
      rig.does(Ev.of("before"));
      rig.a.onUpdate =
          (event, turn) -> {
            turn.txn().put(new K("k"), "1");
            return "k is 1";
          };
      List<String> seen = new ArrayList<>();
      rig.b.onUpdate =
          (event, turn) -> {
            seen.add(turn.txn().get(new K("k")).orElse("?"));
            turn.txn().put(new K("k"), "2");
            return "";
          };
      rig.c.onUpdate =
          (event, turn) -> {
            turn.txn().delete(new K("z"));
            return "z goes";
          };
      assertTrue(rig.does(Ev.of("e")).isSuccess());
      assertEquals(List.of("1"), seen);
      assertEquals("{k=2}", rig.outside.values.toString());
      EventRecord record = rig.loop.history().last(1).get(0);
      assertEquals(2, record.transaction().orElseThrow().operations().size());
      assertEquals(
          List.of("k is 1", "", "z goes"),
          record.handlers().stream().map(h -> h.change()).toList());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-09 an update that changes nothing commits nothing; a resync always commits")
  void nothingChanged(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      assertTrue(rig.does(Ev.of("e")).isSuccess());
      assertTrue(rig.loop.history().last(1).get(0).transaction().isEmpty());
      rig.does(resync());
      assertTrue(rig.loop.history().last(1).get(0).transaction().isPresent());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-10 best effort goes on after an error, and heals once after the delay")
  void bestEffort(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      failsOnce(rig.a, "E1", "a");
      Outcome<Void> outcome = rig.does(Ev.of("e"));
      assertInstanceOf(Outcome.Applied.class, outcome);
      assertEquals("E1", outcome.failures().get(0).message().substring(23));
      assertEquals("{a=1}", rig.outside.values.toString());
      assertEquals(LoopState.DEGRADED, rig.loop.status().state());
      rig.traced("a.U(e)", "b.U(e)", "c.U(e)", "done(e,applied with errors)", "state(DEGRADED)");
      rig.trace.clear();

      rig.a.onResync = (event, turn) -> turn.txn().put(new K("a"), "1");
      rig.advance(HEALING.minusMillis(1));
      rig.traced();
      rig.advance(Duration.ofMillis(1));
      rig.traced("a.R(2)", "b.R(2)", "c.R(2)", "done(healing-resync,applied)", "state(RUNNING)");
      rig.advance(HEALING.multipliedBy(10));
      assertEquals(5, rig.trace.size());
    }
  }

  /** Puts a key, and fails. */
  private static void failsOnce(Rec handler, String message, String key) {
    handler.onUpdate =
        (event, turn) -> {
          handler.onUpdate = (e, t) -> "";
          turn.txn().put(new K(key), "1");
          throw new IllegalStateException(message);
        };
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-11 two failures within the delay give one healing")
  void oneHealing(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      failsOnce(rig.a, "E1", "a");
      failsOnce(rig.b, "E2", "b");
      rig.b.selects = event -> !Rec.nameOf(event).equals("e1");
      rig.does(Ev.of("e1"));
      rig.does(Ev.of("e2"));
      rig.trace.clear();
      rig.advance(HEALING.multipliedBy(4));
      assertEquals(
          1, rig.trace.stream().filter(t -> t.equals("done(healing-resync,applied)")).count());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-12 ignored errors are told, and never healed")
  void ignoreErrors(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      failsOnce(rig.a, "E1", "a");
      Outcome<Void> outcome = rig.does(new Ev("e", EventSpec.ignoreErrors()));
      assertEquals("applied with errors", outcome.word());
      assertEquals("{a=1}", rig.outside.values.toString());
      rig.trace.clear();
      rig.advance(Duration.ofHours(1));
      rig.traced();
      assertTrue(rig.loop.status().ready());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-13 a handler's error reverts those before it, and nobody else")
  void revertAfterHandlerError(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      StateName<String> map = StateName.of("m", String.class);
      rig.a.onUpdate =
          (event, turn) -> {
            turn.txn().put(new K("a"), "1");
            turn.state(map).put("x", "a");
            turn.onRevert(() -> rig.trace.add("a.undo1"));
            turn.onRevert(() -> rig.trace.add("a.undo2"));
            turn.followUp(Ev.of("f"));
            return "";
          };
      rig.b.onUpdate =
          (event, turn) -> {
            turn.state(map).put("x", "b");
            throw new IllegalStateException("E1");
          };
      Outcome<Void> outcome = rig.does(Ev.reverting("e"));
      assertTrue(assertInstanceOf(Outcome.Reverted.class, outcome).complete());
      assertEquals(1, outcome.failures().size());
      rig.traced("a.U(e)", "b.U(e)", "a.undo2", "a.undo1", "a.V(e)", "done(e,reverted)");
      assertEquals("{}", rig.outside.values.toString());
      assertEquals("{m={}}", rig.loop.handlerState().toString());
      rig.trace.clear();
      rig.advance(Duration.ofHours(1));
      rig.traced();
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-14 a failed transaction reverts all handlers, last one first")
  void revertAfterTransactionError(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      rig.outside.failing.add("k2");
      rig.a.onUpdate =
          (event, turn) -> {
            turn.txn().put(new K("k1"), "1");
            turn.txn().put(new K("k2"), "1");
            return "";
          };
      Outcome<Void> outcome = rig.does(Ev.reverting("e"));
      assertTrue(assertInstanceOf(Outcome.Reverted.class, outcome).complete());
      rig.traced("a.U(e)", "b.U(e)", "c.U(e)", "c.V(e)", "b.V(e)", "a.V(e)", "done(e,reverted)");
      assertEquals("{}", rig.outside.values.toString());
      assertTrue(rig.loop.values().desired(new K("k1")).isEmpty());
      rig.trace.clear();
      rig.advance(Duration.ofHours(1));
      rig.traced();
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-15 a reverse event is reverted forward")
  void reverseReverted(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      rig.a.onUpdate =
          (event, turn) -> {
            throw new IllegalStateException("E1");
          };
      rig.does(new Ev("e", EventSpec.revertOnFailure().reverse()));
      rig.traced("c.U(e)", "b.U(e)", "a.U(e)", "b.V(e)", "c.V(e)", "done(e,reverted)");
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-17 a fatal error in a revert ends the reverting, and the loop aborts")
  void fatalInRevert(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      rig.c.onUpdate =
          (event, turn) -> {
            throw new IllegalStateException("E1");
          };
      rig.b.onRevert =
          (event, turn) -> {
            throw new FatalLoopException("no way back");
          };
      Outcome<Void> outcome = rig.does(Ev.reverting("e"));
      assertFalse(assertInstanceOf(Outcome.Reverted.class, outcome).complete());
      rig.traced(
          "a.U(e)",
          "b.U(e)",
          "c.U(e)",
          "b.V(e)",
          "done(e,reverted incompletely)",
          "state(ABORTING)");
      assertTrue(rig.loop.status().reason().orElseThrow().contains("no way back"));
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-18 a fatal error, wrapped or not, stops everything")
  void fatal(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      rig.b.onUpdate =
          (event, turn) -> {
            turn.txn().put(new K("k"), "1");
            throw new IllegalStateException(new FatalLoopException("the end"));
          };
      rig.does(Ev.of("e"));
      rig.traced("a.U(e)", "b.U(e)", "done(e,refused)", "state(ABORTING)");
      rig.trace.clear();
      Outcome<Void> next = rig.does(Ev.of("u"));
      assertInstanceOf(Outcome.Dropped.class, next);
      assertEquals(ErrorKind.UNAVAILABLE, next.failures().get(0).kind());
      rig.advance(Duration.ofHours(1));
      rig.traced("done(u,dropped)");
      assertEquals("{}", rig.outside.values.toString());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-19 an abort error, wrapped or not, stops the event and heals")
  void abort(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      rig.a.onUpdate =
          (event, turn) -> {
            turn.txn().put(new K("k"), "1");
            return "";
          };
      rig.b.onUpdate =
          (event, turn) -> {
            throw new IllegalStateException(new AbortEventException("pointless"));
          };
      assertInstanceOf(Outcome.Refused.class, rig.does(Ev.of("e")));
      assertInstanceOf(Outcome.Reverted.class, rig.does(Ev.reverting("r")));
      rig.traced(
          "a.U(e)",
          "b.U(e)",
          "done(e,refused)",
          "state(DEGRADED)",
          "a.U(r)",
          "b.U(r)",
          "a.V(r)",
          "done(r,reverted)");
      assertEquals("{}", rig.outside.values.toString());
      rig.trace.clear();
      rig.advance(HEALING);
      assertTrue(rig.trace.contains("done(healing-resync,applied)"));
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-20 a failing startup resync heals, and the gate stays closed until then")
  void failingStartup(Mode mode) {
    try (Rig rig = new Rig(mode)) {
      List<Boolean> startup = new ArrayList<>();
      rig.a.onResync =
          (event, turn) -> {
            startup.add(turn.startup());
            if (startup.size() == 1) {
              throw new IllegalStateException("E1");
            }
          };
      rig.b.onResync = (event, turn) -> turn.txn().put(new K("b"), "1");
      Submission<Void> u1 = rig.loop.pushEvent(Ev.of("u1"));
      assertInstanceOf(Outcome.Refused.class, rig.does(resync()));
      assertEquals(LoopState.STARTING, rig.loop.status().state());
      assertEquals("{}", rig.outside.values.toString());
      assertFalse(rig.trace.contains("a.U(u1)"));
      rig.trace.clear();
      rig.advance(HEALING);
      assertTrue(Rig.await(u1).isSuccess());
      rig.settle();
      assertEquals(List.of(true, true), startup);
      assertEquals("{b=1}", rig.outside.values.toString());
      assertTrue(rig.loop.status().ready());
      assertEquals("done(u1,applied)", rig.trace.get(rig.trace.size() - 1));
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-21 healing that keeps failing escalates, and names what failed")
  void healingEscalates(Mode mode) {
    try (Rig rig = new Rig(mode, config -> config.healingAttempts(3), more -> more).resync()) {
      failsOnce(rig.a, "E1", "a");
      rig.does(Ev.of("e"));
      rig.b.onResync =
          (event, turn) -> {
            throw new IllegalStateException("E2");
          };
      rig.advance(HEALING);
      rig.advance(HEALING.multipliedBy(2));
      assertEquals(LoopState.DEGRADED, rig.loop.status().state());
      rig.advance(HEALING.multipliedBy(4));
      assertEquals(LoopState.ABORTING, rig.loop.status().state());
      String reason = rig.loop.status().reason().orElseThrow();
      assertTrue(reason.contains("E1") && reason.contains("E2"), reason);
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-23 periodic healing begins with the first resync, and calls no handler")
  void periodicHealing(Mode mode) {
    Duration minute = Duration.ofMinutes(1);
    try (Rig rig =
        new Rig(
            mode,
            config -> config.periodicHealing(minute).startupDeadline(Duration.ofHours(2)),
            more -> more)) {
      rig.advance(Duration.ofHours(1));
      rig.traced();
      rig.resync();
      rig.advance(minute);
      rig.advance(minute);
      rig.traced("done(healing-resync,applied)", "done(healing-resync,applied)");
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-25 EL-26 without a resync the startup deadline aborts, each event answered once")
  void startupDeadline(Mode mode) {
    try (Rig rig = new Rig(mode)) {
      Submission<Void> u1 = rig.loop.pushEvent(Ev.of("u1"));
      rig.advance(Duration.ofSeconds(30));
      assertInstanceOf(Outcome.Dropped.class, Rig.await(u1));
      assertEquals(LoopState.ABORTING, rig.loop.status().state());
      assertInstanceOf(Outcome.Dropped.class, rig.does(Ev.of("u2")));
      assertInstanceOf(Outcome.Dropped.class, rig.does(Ev.of("u3")));
      rig.traced("state(ABORTING)", "done(u1,dropped)", "done(u2,dropped)", "done(u3,dropped)");
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-27 closing shows the handlers the shutdown, commits it, and ends the loop")
  void shutdown(Mode mode) {
    Rig rig = Rig.started(mode);
    rig.c.onUpdate =
        (event, turn) -> {
          turn.txn().put(new K("last"), "1");
          return "";
        };
    rig.close();
    rig.traced(
        "state(DRAINING)",
        "a.U(shutdown)",
        "b.U(shutdown)",
        "c.U(shutdown)",
        "done(shutdown,applied)",
        "state(CLOSED)");
    assertEquals("{last=1}", rig.outside.values.toString());
    assertEquals(LoopState.CLOSED, rig.loop.status().state());
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-28 closing before the startup resync answers what is delayed at once")
  void closeBeforeResync(Mode mode) {
    Rig rig = new Rig(mode);
    Submission<Void> u1 = rig.loop.pushEvent(Ev.of("u1"));
    rig.close();
    assertInstanceOf(Outcome.Dropped.class, Rig.await(u1));
    rig.traced("state(DRAINING)", "done(u1,dropped)", "state(CLOSED)");
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-30 after close nothing is accepted, and closing again returns at once")
  void pushAfterClose(Mode mode) {
    Rig rig = Rig.started(mode);
    rig.close();
    int before = rig.trace.size();
    for (int i = 0; i < 100; i++) {
      assertThrows(dev.evenkeel.api.loop.LoopClosedException.class, () -> push(rig, Ev.of("late")));
    }
    rig.close();
    assertEquals(before, rig.trace.size());
    assertEquals(0, rig.loop.status().waiting());
  }

  private static void push(Rig rig, Event event) {
    var unused = rig.loop.pushEvent(event);
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-32 waiting for an outcome, or for a request, on the loop is an immediate error")
  void blockingFromTheLoop(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      List<String> errors = new ArrayList<>();
      rig.a.onUpdate =
          (event, turn) -> {
            if (Rec.nameOf(event).equals("e")) {
              Submission<String> ask = rig.loop.pushEvent(Ask.of("ask"));
              for (Attempt attempt :
                  List.<Attempt>of(
                      () -> ask.await(Duration.ofSeconds(1)),
                      () -> ask.outcome().toCompletableFuture().join(),
                      () -> ask.outcome().thenApply(o -> o).toCompletableFuture().get(),
                      () -> rig.loop.handlerState(),
                      () -> {
                        turn.followUp(Ask.of("followed"));
                        return "";
                      })) {
                try {
                  attempt.run();
                } catch (IllegalStateException | IllegalArgumentException e) {
                  errors.add(e.getClass().getSimpleName());
                }
              }
            }
            return "";
          };
      assertTrue(rig.does(Ev.of("e")).isSuccess());
      List<String> expected = new ArrayList<>();
      expected.addAll(
          List.of(
              "LoopThreadBlockedException",
              "LoopThreadBlockedException",
              "LoopThreadBlockedException"));
      if (mode != Mode.MANUAL) {
        expected.add("LoopThreadBlockedException");
      }
      expected.add("IllegalArgumentException");
      assertEquals(expected, errors);
    }
  }

  /** Something that may throw. */
  private interface Attempt {
    Object run() throws Exception;
  }

  /** Says that it is an update, and has nothing of one. */
  record Malformed() implements ResyncEvent {
    static final EventType<Malformed> TYPE = EventType.of("malformed", Malformed.class);

    @Override
    public EventType<Malformed> type() {
      return TYPE;
    }

    @Override
    public EventMethod method() {
      return EventMethod.UPDATE;
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-33 an event that makes no sense is refused as invalid, with a record")
  void malformed(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      for (Event event :
          List.<Event>of(
              new Malformed(),
              new dev.evenkeel.api.event.Shutdown(),
              new StateChange("/elsewhere/x", K.TYPE, Optional.empty(), Optional.of("1")),
              new StateChange("/k/x", K.TYPE, Optional.empty(), Optional.of(5)))) {
        Outcome<Void> outcome = rig.does(event);
        assertInstanceOf(Outcome.Refused.class, outcome);
        assertEquals(ErrorKind.INVALID, outcome.failures().get(0).kind());
        assertEquals(Optional.of("refused"), rig.loop.history().last(1).get(0).outcome());
      }
      assertFalse(rig.trace.stream().anyMatch(t -> t.startsWith("a.")));
      assertTrue(rig.loop.status().ready());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-35 an exception is its handler's failure, an Error too; the loop lives")
  void exception(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      rig.b.onUpdate =
          (event, turn) -> {
            throw new AssertionError("not so");
          };
      Outcome<Void> outcome = rig.does(Ev.of("e"));
      Failure failure = outcome.failures().get(0);
      assertEquals("b", failure.owner());
      assertEquals(ErrorKind.INTERNAL, failure.kind());
      rig.b.selects =
          event -> {
            throw new IllegalArgumentException("asked too much");
          };
      assertEquals("b", rig.does(Ev.of("e2")).failures().get(0).owner());
      rig.b.selects = event -> false;
      assertTrue(rig.does(Ev.of("e3")).isSuccess());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-35 an error of the virtual machine is fatal")
  void stackOverflow(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      rig.b.onUpdate = (event, turn) -> "" + deep(1);
      rig.does(Ev.of("e"));
      assertEquals(LoopState.ABORTING, rig.loop.status().state());
    }
  }

  private static int deep(int n) {
    return n == 0 ? 0 : deep(n + 1) + 1;
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-42 every resync counts, whatever its kind")
  void counts(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      rig.does(new HealingResync(HealingResync.Cause.PERIODIC, 1));
      rig.does(resync());
      assertTrue(rig.trace.contains("a.R(3)"));
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-43 the input state has every change, whether or not its event failed")
  void inputCaches(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      rig.a.onUpdate =
          (event, turn) -> {
            throw new IllegalStateException("E1");
          };
      TreeMap<String, Object> seen = new TreeMap<>();
      rig.b.onResync =
          (event, turn) ->
              turn.input().values().forEach(value -> seen.put(value.key().path(), value.value()));
      rig.does(StateChange.put(new K("p"), Optional.empty(), "1"));
      rig.does(StateChange.put(new K("q"), Optional.empty(), "1"));
      rig.does(StateChange.delete(new K("q"), "1"));
      rig.advance(HEALING);
      assertEquals("{/k/p=1}", seen.toString());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-51 a producer gets the handlers' answer, or the failure and nothing")
  void answers(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      StateName<String> leases = StateName.of("leases", String.class);
      rig.a.onUpdate =
          (event, turn) -> {
            if (event instanceof Ask ask) {
              turn.state(leases).put(ask.name(), "10.0.0.1");
              turn.answer(ask, "10.0.0.1");
            }
            return "";
          };
      assertEquals("10.0.0.1", rig.asks(Ask.of("pod1")).orThrow());
      rig.c.onUpdate =
          (event, turn) -> {
            if (Rec.nameOf(event).equals("pod2")) {
              throw new IllegalStateException("E1");
            }
            return "";
          };
      Outcome<String> failed = rig.asks(Ask.of("pod2"));
      assertInstanceOf(Outcome.Reverted.class, failed);
      assertTrue(failed.answer().isEmpty());
      assertEquals("{leases={pod1=10.0.0.1}}", rig.loop.handlerState().toString());
    }
  }
}
