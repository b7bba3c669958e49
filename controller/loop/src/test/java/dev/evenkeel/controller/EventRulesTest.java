package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.event.ExternalChange;
import dev.evenkeel.api.event.ExternalResync;
import dev.evenkeel.api.event.HealingResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.event.StateChange;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.ExternalSource;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.controller.Rig.Mode;
import dev.evenkeel.controller.core.LoopConfig.Verification;
import java.lang.reflect.Array;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rules of the event loop that no scenario names. */
@DisplayName("The loop's other rules")
@Timeout(60)
final class EventRulesTest {
  private static final Event RESYNC = DatastoreResync.of(InputState.empty());
  private static final Duration LATER = Duration.ofMinutes(10);

  private static ExternalChange external(String key, Optional<Object> value) {
    TreeMap<Key<?>, Optional<Object>> changes = new TreeMap<>();
    changes.put(new K(key), value);
    return new ExternalChange("db", changes);
  }

  private static Rec.Update once(Rec handler, Rec.Update what) {
    return (event, turn) -> {
      handler.onUpdate = (e, t) -> "";
      return what.on(event, turn);
    };
  }

  private static Rec.Update puts(Rec handler, String key, String value) {
    return once(
        handler,
        (event, turn) -> {
          turn.txn().put(new K(key), value);
          return "";
        });
  }

  private static EventRecord last(Rig rig) {
    return rig.loop.history().last(1).get(0);
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName(
      "EL 5 a transaction reads what it holds itself, and what is committed by another call")
  void transaction(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      List<String> read = Collections.synchronizedList(new ArrayList<>());
      rig.a.onUpdate = puts(rig.a, "old", "1");
      rig.does(Ev.of("before"));
      rig.a.onUpdate =
          (event, turn) -> {
            read.add("" + turn.txn().get(new K("old")));
            read.add("" + turn.txn().committed(new K("old")));
            turn.txn().put(new K("new"), "2");
            read.add("" + turn.txn().committed(new K("new")));
            turn.txn().delete(new K("new"));
            read.add("" + turn.txn().get(new K("new")));
            return "";
          };
      rig.b.onUpdate =
          (event, turn) -> {
            turn.txn().put(new K("null"), (String) Array.get(new Object[1], 0)); // a null
            return "";
          };
      rig.c.onResync = (event, turn) -> turn.txn().delete(new K("old"));
      Outcome<Void> outcome = rig.does(Ev.of("e"));
      assertEquals(List.of("Optional.empty", "Optional[1]", "Optional[2]", "Optional.empty"), read);
      assertEquals("b", outcome.failures().get(0).owner());
      assertEquals("c", rig.does(RESYNC).failures().get(0).owner());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName(
      "EL 12 EL 14 other resyncs wait behind the gate, too; the first one is number 0, count 1")
  void gate(Mode mode) {
    try (Rig rig = new Rig(mode)) {
      Submission<Void> external = rig.push(new ExternalResync("db", InputState.empty()));
      Submission<Void> healing = rig.push(new HealingResync(HealingResync.Cause.PERIODIC, 1));
      rig.until(() -> rig.loop.status().waiting() == 2);
      rig.traced();
      Submission<Void> first = rig.push(RESYNC);
      assertTrue(Rig.await(first).isSuccess());
      assertTrue(Rig.await(external).isSuccess());
      assertTrue(Rig.await(healing).isSuccess());
      assertEquals("a.R(1)", rig.trace.get(0));
      assertEquals(
          List.of("0 datastore-resync", "1 external-resync", "2 healing-resync"),
          rig.loop.history().first(9).stream().map(r -> r.sequence() + " " + r.type()).toList());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL 17 a source that cannot be read keeps what it had, and the record says so")
  void unreadableSource(Mode mode) {
    AtomicBoolean broken = new AtomicBoolean();
    ExternalSource source =
        new ExternalSource() {
          @Override
          public String name() {
            return "files";
          }

          @Override
          public int priority() {
            return 5;
          }

          @Override
          public InputState snapshot() {
            if (broken.get()) {
              throw new IllegalStateException("E5");
            }
            return InputState.empty().with(new K("k"), "ext");
          }
        };
    try (Rig rig = new Rig(mode, c -> c, builder -> builder.externalSource(source)).resync()) {
      assertEquals("{k=ext}", rig.outside.values.toString());
      broken.set(true);
      assertTrue(rig.does(RESYNC).isSuccess());
      assertEquals("{k=ext}", rig.outside.values.toString());
      assertEquals("external files", last(rig).handlers().get(0).handler());
      assertTrue(last(rig).handlers().get(0).failure().isPresent());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL 20 what a handler that does not select a resync had wanted is removed by it")
  void resyncNotSelected(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      rig.a.onUpdate = puts(rig.a, "k", "1");
      rig.does(Ev.of("e"));
      assertEquals("{k=1}", rig.outside.values.toString());
      rig.a.selects = event -> event.method() == EventMethod.UPDATE;
      rig.does(RESYNC);
      assertEquals("{}", rig.outside.values.toString());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL 27 a failed commit leaves what handlers want as it was only if it reverts")
  void internalCache(Mode mode) {
    try (Rig rig = new Rig(mode, config -> config.withoutRetry(), b -> b).resync()) {
      rig.outside.failing.add("k");
      rig.outside.failing.add("r");
      rig.a.onUpdate = puts(rig.a, "k", "int");
      assertFalse(rig.does(Ev.of("best effort")).isSuccess());
      rig.a.onUpdate = puts(rig.a, "r", "int");
      assertInstanceOf(Outcome.Reverted.class, rig.does(Ev.reverting("reverting")));
      rig.outside.failing.clear();
      for (String key : List.of("k", "r")) {
        assertTrue(rig.does(external(key, Optional.of("ext"))).isSuccess());
        assertTrue(rig.does(external(key, Optional.empty())).isSuccess());
      }
      assertEquals("{k=int}", rig.outside.values.toString());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL 40 an external change that failed is tried again by the next resync")
  void failedExternalChange(Mode mode) {
    try (Rig rig = new Rig(mode, config -> config.withoutRetry(), b -> b).resync()) {
      rig.outside.failing.add("k");
      assertFalse(rig.does(external("k", Optional.of("ext"))).isSuccess());
      rig.outside.failing.clear();
      rig.advance(LATER);
      assertEquals("{}", rig.outside.values.toString());
      rig.does(new ExternalResync("other", InputState.empty()));
      assertEquals("{k=ext}", rig.outside.values.toString());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EW-2 an external resync that fails is healed, too")
  void externalResyncHeals(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      rig.a.onResync =
          (event, turn) -> {
            rig.a.onResync = (e, t) -> {};
            throw new IllegalStateException("E1");
          };
      rig.does(new ExternalResync("db", InputState.empty()));
      assertEquals(LoopState.DEGRADED, rig.loop.status().state());
      assertTrue(rig.loop.status().reason().orElse("").contains("E1"));
      rig.advance(Duration.ofSeconds(5));
      assertTrue(rig.trace.contains("done(healing-resync,applied)"), rig.trace.toString());
      assertEquals(LoopState.RUNNING, rig.loop.status().state());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EW-7 verification needs no history")
  void verificationWithoutHistory(Mode mode) {
    try (Rig rig =
        new Rig(
                mode,
                config -> config.historyRecords(0).verification(Verification.UPSTREAM),
                builder -> builder)
            .resync()) {
      assertTrue(rig.does(Ev.of("e")).isSuccess());
      assertTrue(rig.trace.contains("done(verification-resync,applied)"));
      assertEquals(List.of(), rig.loop.history().last(9));
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EW-8 a derived value that fails is its base's failure, and is healed as internal")
  void derivedFailure(Mode mode) {
    try (Rig rig = new Rig(mode, config -> config.withoutRetry(), b -> b).resync()) {
      rig.outside.failing.add("k-derived");
      rig.a.onUpdate = puts(rig.a, "k", "derives");
      Outcome<Void> outcome = rig.does(Ev.of("e"));
      assertEquals(Optional.of("/k/k-derived"), outcome.failures().get(0).key());
      assertEquals(Optional.of("/k/k"), outcome.failures().get(0).base());
      rig.outside.failing.clear();
      rig.advance(LATER);
      assertTrue(rig.trace.contains("done(healing-resync,applied)"), rig.trace.toString());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EW-10 follow-ups and scheduled events of what was reverted never run")
  void followUpsOfTheReverted(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      rig.a.onUpdate =
          once(
              rig.a,
              (event, turn) -> {
                turn.followUp(Ev.of("follow-up"));
                turn.schedule(Duration.ofSeconds(1), Ev.of("scheduled"));
                return "";
              });
      rig.c.onUpdate =
          once(
              rig.c,
              (event, turn) -> {
                throw new IllegalStateException("E1");
              });
      assertInstanceOf(Outcome.Reverted.class, rig.does(Ev.reverting("e")));
      rig.advance(LATER);
      assertFalse(rig.trace.contains("a.U(follow-up)"));
      assertFalse(rig.trace.contains("a.U(scheduled)"));
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EW-11 a revert that is incomplete says so, and is healed")
  void incompleteRevert(Mode mode) {
    try (Rig rig = new Rig(mode, config -> config.withoutRetry(), b -> b).resync()) {
      rig.a.onUpdate = puts(rig.a, "a", "1");
      rig.b.onUpdate = puts(rig.b, "b", "1");
      rig.does(Ev.of("before"));
      rig.a.onUpdate =
          once(
              rig.a,
              (event, turn) -> {
                turn.txn().put(new K("a"), "2");
                turn.txn().put(new K("b"), "2");
                return "";
              });
      rig.outside.failing.add("b");
      rig.outside.onSet =
          () -> {
            if (rig.outside.values.containsValue("2")) {
              rig.outside.failing.add("a");
            }
          };
      Outcome.Reverted<?> outcome =
          assertInstanceOf(Outcome.Reverted.class, rig.does(Ev.reverting("e")));
      assertFalse(outcome.complete());
      assertEquals("reverted incompletely", last(rig).outcome().orElse(""));
      rig.outside.onSet = () -> {};
      rig.outside.failing.clear();
      assertEquals(LoopState.DEGRADED, rig.loop.status().state());
      rig.advance(LATER);
      assertEquals(LoopState.RUNNING, rig.loop.status().state());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EW-12 the first error stays the first, whatever fails in reverting")
  void firstErrorFirst(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      rig.a.onRevert =
          (event, turn) -> {
            throw new IllegalStateException("E2");
          };
      rig.b.onUpdate =
          once(
              rig.b,
              (event, turn) -> {
                throw new IllegalStateException("E1");
              });
      Outcome<Void> outcome = rig.does(Ev.reverting("e"));
      assertEquals(
          List.of("b update", "a revert"),
          outcome.failures().stream().map(f -> f.owner() + " " + f.operation()).toList());
      assertTrue(outcome.failures().get(0).message().contains("E1"));
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EW-15 scheduled events have a limit, and make room when their time has come")
  void scheduledAreBounded(Mode mode) {
    try (Rig rig = new Rig(mode, config -> config.maxTimers(2), builder -> builder).resync()) {
      rig.a.onUpdate =
          (event, turn) -> {
            if (Rec.nameOf(event).startsWith("schedule")) {
              turn.schedule(Duration.ofSeconds(1), Ev.of("later"));
              turn.schedule(Duration.ofSeconds(2), Ev.of("later"));
            }
            return "";
          };
      assertTrue(rig.does(Ev.of("schedule")).isSuccess());
      Outcome<Void> more = rig.does(Ev.reverting("schedule more"));
      assertEquals(ErrorKind.RESOURCE_EXHAUSTED, more.failures().get(0).kind());
      rig.advance(Duration.ofSeconds(1));
      rig.advance(Duration.ofSeconds(1));
      assertEquals(2, rig.trace.stream().filter("a.U(later)"::equals).count());
      assertTrue(rig.does(Ev.of("schedule again")).isSuccess());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EW-21 what is pushed out of handlesEvent follows up nothing")
  void pushedFromHandlesEvent(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      AtomicReference<Submission<Void>> pushed = new AtomicReference<>();
      rig.b.selects =
          event -> {
            if (Rec.nameOf(event).equals("e") && pushed.get() == null) {
              pushed.set(rig.loop.pushEvent(Ev.of("pushed")));
            }
            return true;
          };
      rig.does(Ev.of("e"));
      assertTrue(Rig.await(Objects.requireNonNull(pushed.get())).isSuccess());
      EventRecord record = last(rig);
      assertEquals("pushed", record.description());
      assertEquals(Optional.empty(), record.parent());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EW-22 the input state that a handler was given changes no more")
  void inputIsAValue(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      AtomicReference<InputState> seen = new AtomicReference<>();
      rig.a.onUpdate =
          once(
              rig.a,
              (event, turn) -> {
                seen.set(turn.input());
                return "";
              });
      rig.does(StateChange.put(new K("p"), Optional.empty(), "1"));
      rig.does(StateChange.put(new K("p"), Optional.of("1"), "2"));
      InputState given = Objects.requireNonNull(seen.get());
      assertEquals(Optional.of("1"), given.get(new K("p")));
      assertThrows(UnsupportedOperationException.class, () -> given.values().clear());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-52 each push has an outcome of its own: a retry waits for its own event")
  void retryOfAnObsolete(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      List<String> known = new ArrayList<>(List.of("old container"));
      rig.a.onUpdate =
          (event, turn) -> {
            if (event instanceof Ask && !known.isEmpty()) {
              throw new IllegalStateException("obsolete");
            } else if (event instanceof Ask ask) {
              turn.answer(ask, "10.0.0.2");
            } else {
              known.clear();
            }
            return "";
          };
      Outcome<String> first = rig.asks(Ask.of("add pod"));
      assertInstanceOf(Outcome.Reverted.class, first);
      assertTrue(rig.does(Ev.of("delete pod")).isSuccess());
      Outcome<String> second = rig.asks(Ask.of("add pod"));
      assertEquals("10.0.0.2", second.orThrow());
      assertFalse(first.isSuccess());
    }
  }
}
