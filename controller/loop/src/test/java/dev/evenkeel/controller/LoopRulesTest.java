package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.ExternalChange;
import dev.evenkeel.api.event.ExternalResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.event.Notification;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.StateMap;
import dev.evenkeel.api.handler.StateName;
import dev.evenkeel.api.handler.Turn;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.ExternalSource;
import dev.evenkeel.api.loop.FatalLoopException;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.controller.Rig.Mode;
import dev.evenkeel.controller.core.LoopDecision;
import dev.evenkeel.controller.core.LoopInput;
import dev.evenkeel.controller.core.LoopObserver;
import dev.evenkeel.controller.manual.ManualLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rules of the loop that no scenario names, and scenarios of the external configuration. */
@DisplayName("The loop's rules")
@Timeout(60)
final class LoopRulesTest {
  private static final Duration HEALING = Duration.ofSeconds(5);

  private static ExternalChange external(String source, String key, String value) {
    TreeMap<dev.evenkeel.api.Key<?>, Optional<Object>> changes = new TreeMap<>();
    changes.put(new K(key), Optional.ofNullable(value.isEmpty() ? null : value));
    return new ExternalChange(source, changes);
  }

  private static void puts(Rec handler, String key, String value) {
    handler.onUpdate =
        (event, turn) -> {
          handler.onUpdate = (e, t) -> "";
          turn.txn().put(new K(key), value);
          return "";
        };
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-36 external values are merged over internal ones, whichever comes first")
  void externalOverInternal(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      puts(rig.a, "k", "int");
      rig.does(Ev.of("e"));
      rig.does(external("db", "k", "ext"));
      assertEquals("{k=ext+int}", rig.outside.values.toString());
      puts(rig.a, "k", "int2");
      rig.does(Ev.of("e"));
      assertEquals("{k=ext+int2}", rig.outside.values.toString());
      rig.a.onUpdate =
          (event, turn) -> {
            rig.a.onUpdate = (e, t) -> "";
            turn.txn().delete(new K("k"));
            return "";
          };
      rig.does(Ev.of("e"));
      assertEquals("{k=ext}", rig.outside.values.toString());
      rig.does(external("db", "k", ""));
      assertEquals("{}", rig.outside.values.toString());

      puts(rig.a, "k", "int");
      rig.does(Ev.of("e"));
      rig.does(external("db", "k", "ext"));
      rig.does(external("db", "k", ""));
      assertEquals("{k=int}", rig.outside.values.toString());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-38 EW-9 sources need no snapshot, and are folded by priority")
  void sources(Mode mode) {
    AtomicBoolean broken = new AtomicBoolean();
    ExternalSource high =
        new ExternalSource() {
          @Override
          public String name() {
            return "high";
          }

          @Override
          public int priority() {
            return 10;
          }

          @Override
          public InputState snapshot() {
            if (broken.get()) {
              throw new IllegalStateException("unreadable");
            }
            return InputState.empty().with(new K("k"), "high");
          }
        };
    try (Rig rig =
        new Rig(mode, config -> config, builder -> builder.externalSource(high)).resync()) {
      rig.does(external("grpc", "k", "x"));
      assertEquals("{k=high+x}", rig.outside.values.toString());
      rig.does(external("db", "k", "db"));
      assertEquals("{k=high+db+x}", rig.outside.values.toString());
      rig.does(new ExternalResync("grpc", InputState.empty().with(new K("l"), "y")));
      assertEquals("{k=high+db, l=y}", rig.outside.values.toString());

      broken.set(true);
      assertTrue(rig.does(DatastoreResync.of(InputState.empty())).isSuccess());
      assertEquals("{k=high, l=y}", rig.outside.values.toString());
      assertEquals("external high", rig.loop.history().last(1).get(0).handlers().get(0).handler());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-38 sources that nobody registered have a limit, in number and in length of name")
  void sourcesAreBounded(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      for (int i = 0; i < 64; i++) {
        assertTrue(rig.does(external("s" + i, "k", "v")).isSuccess());
      }
      Outcome<Void> one = rig.does(external("more", "k", "v"));
      assertInstanceOf(Outcome.Refused.class, one);
      assertEquals(ErrorKind.RESOURCE_EXHAUSTED, one.failures().get(0).kind());
      assertTrue(rig.does(external("s7", "k2", "v")).isSuccess());
      assertTrue(rig.does(external("s8", "k", "")).isSuccess());
      assertTrue(rig.does(external("more", "k", "v")).isSuccess());
      for (String name : List.of("", "x".repeat(201))) {
        assertEquals(
            ErrorKind.INVALID, rig.does(external(name, "k", "v")).failures().get(0).kind());
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL 26 when only external keys fail nothing is healed")
  void externalFailure(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      rig.outside.failing.add("k");
      assertEquals("applied with errors", rig.does(external("db", "k", "x")).word());
      assertTrue(rig.loop.status().ready());
      puts(rig.a, "k", "int");
      rig.does(Ev.of("e"));
      assertTrue(rig.loop.status().ready(), "the engine tries it again");
      for (int second = 0; second < 7; second++) {
        rig.advance(Duration.ofSeconds(1));
      }
      assertEquals(LoopState.DEGRADED, rig.loop.status().state());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("JT-15 a handler that fails in a resync keeps its keys, the others go on")
  void keepsLastGood(Mode mode) {
    try (Rig rig = new Rig(mode)) {
      rig.a.onResync = (event, turn) -> turn.txn().put(new K("a"), "1");
      rig.b.onResync = (event, turn) -> turn.txn().put(new K("b"), "1");
      rig.resync();
      rig.a.onResync =
          (event, turn) -> {
            turn.txn().put(new K("a2"), "2");
            throw new IllegalStateException("E1");
          };
      rig.b.onResync = (event, turn) -> turn.txn().put(new K("b"), "2");
      assertEquals("applied with errors", rig.does(DatastoreResync.of(InputState.empty())).word());
      assertEquals("{a=1, b=2}", rig.outside.values.toString());
      assertEquals(LoopState.DEGRADED, rig.loop.status().state());
      rig.a.onResync = (event, turn) -> {};
      rig.advance(HEALING);
      assertEquals("{b=2}", rig.outside.values.toString());
      assertTrue(rig.loop.status().ready());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EW-16 a good full resync cancels the healing that was planned")
  void healingCancelled(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      rig.a.onUpdate =
          (event, turn) -> {
            throw new IllegalStateException("E1");
          };
      rig.does(Ev.of("e"));
      rig.does(DatastoreResync.of(InputState.empty()));
      assertTrue(rig.loop.status().ready());
      rig.trace.clear();
      rig.advance(Duration.ofMinutes(5));
      rig.traced();
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("a turn, its transaction and its state end with the call, and are the loop thread's")
  void turnsEnd(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      AtomicReference<Turn> kept = new AtomicReference<>();
      List<Runnable> uses = new ArrayList<>();
      List<Boolean> refusedElsewhere = new ArrayList<>();
      rig.a.onUpdate =
          (event, turn) -> {
            kept.set(turn);
            var txn = turn.txn();
            StateMap<String> map = turn.state(StateName.of("m", String.class));
            map.put("x", "1");
            uses.add(() -> txn.put(new K("late"), "1"));
            uses.add(() -> map.put("x", "late"));
            uses.add(() -> map.get("x"));
            uses.add(turn::now);
            uses.add(turn::newId);
            Thread other =
                new Thread(
                    () -> {
                      try {
                        map.get("x");
                        refusedElsewhere.add(false);
                      } catch (IllegalStateException e) {
                        refusedElsewhere.add(true);
                      }
                    });
            other.start();
            other.join();
            return "";
          };
      rig.b.onUpdate =
          (event, turn) -> {
            uses.forEach(use -> assertThrows(IllegalStateException.class, use::run));
            return "";
          };
      assertTrue(rig.does(Ev.of("e")).isSuccess());
      uses.forEach(use -> assertThrows(IllegalStateException.class, use::run));
      assertEquals(List.of(true), refusedElsewhere);
      assertEquals("{m={x=1}}", rig.loop.handlerState().toString());
    }
  }

  @Test
  @DisplayName("random numbers and ids are a function of seed, event and handler")
  void randomness() {
    List<String> first = ids(42);
    assertEquals(first, ids(42));
    assertNotEquals(first, ids(43));
    assertEquals(first.size(), first.stream().distinct().count());
    assertEquals(4, java.util.UUID.fromString(first.get(0)).version());
  }

  private static List<String> ids(long seed) {
    List<String> ids = new ArrayList<>();
    try (Rig rig = new Rig(Mode.MANUAL, config -> config, b -> b.seed(() -> seed)).resync()) {
      Rec.Update collect =
          (event, turn) -> {
            ids.add(turn.newId());
            ids.add(turn.newId());
            return "";
          };
      rig.a.onUpdate = collect;
      rig.b.onUpdate = collect;
      rig.does(Ev.of("e1"));
      rig.does(Ev.of("e2"));
    }
    return ids;
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("scheduled events come after their delay, and only from events that succeeded")
  void schedule(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      rig.b.selects = event -> false;
      rig.c.selects = event -> false;
      rig.a.onUpdate =
          (event, turn) -> {
            if (Rec.nameOf(event).startsWith("e")) {
              turn.schedule(Duration.ofSeconds(2), Ev.of("later-" + Rec.nameOf(event)));
            }
            if (Rec.nameOf(event).equals("e-bad")) {
              throw new IllegalStateException("E1");
            }
            return "";
          };
      rig.does(Ev.reverting("e-good"));
      rig.does(Ev.reverting("e-bad"));
      rig.trace.clear();
      rig.advance(Duration.ofMillis(1999));
      rig.traced();
      rig.advance(Duration.ofMillis(1));
      rig.traced("a.U(later-e-good)", "done(later-e-good,applied)");
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EW-15 follow-ups have a limit in number and in depth")
  void followUpLimits(Mode mode) {
    try (Rig rig =
        new Rig(mode, config -> config.maxFollowUps(3).maxFollowUpDepth(5), b -> b).resync()) {
      rig.b.selects = event -> false;
      rig.c.selects = event -> false;
      rig.a.onUpdate =
          (event, turn) -> {
            turn.followUp(Ev.of("next"));
            return "";
          };
      rig.does(Ev.of("chain"));
      rig.settle();
      EventRecord last =
          rig.loop.history().last(20).stream()
              .filter(r -> Rig.name(r).equals("next"))
              .reduce((x, y) -> y)
              .orElseThrow();
      assertEquals(ErrorKind.RESOURCE_EXHAUSTED, last.failures().get(0).kind());
      assertEquals(6, rig.trace.stream().filter(t -> t.startsWith("a.U")).count());
      rig.a.onUpdate =
          (event, turn) -> {
            for (int i = 0; i < 4; i++) {
              turn.followUp(Ev.of("many"));
            }
            return "";
          };
      Outcome<Void> outcome = rig.does(Ev.reverting("e"));
      assertEquals(ErrorKind.RESOURCE_EXHAUSTED, outcome.failures().get(0).kind());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("a deadline that passes behind the gate refuses the event")
  void deadlineBehindTheGate(Mode mode) {
    try (Rig rig = new Rig(mode)) {
      Submission<Void> e =
          rig.loop.pushEvent(new Ev("e", EventSpec.bestEffort().deadline(Duration.ofSeconds(3))));
      rig.settle();
      rig.advance(Duration.ofSeconds(3));
      Outcome<Void> outcome = Rig.await(e);
      assertInstanceOf(Outcome.Refused.class, outcome);
      assertEquals(ErrorKind.DEADLINE_EXCEEDED, outcome.failures().get(0).kind());
      rig.resync();
      assertEquals(0, rig.loop.status().waiting());
    }
  }

  @Test
  @DisplayName("JT-4 a serial event ends unfinished at its deadline; the late return is taken over")
  void serialDeadline() {
    try (Rig rig = new Rig(Mode.MANUAL, false, config -> config, b -> b).resync()) {
      ManualLoop loop = (ManualLoop) rig.loop;
      loop.hold(action -> true);
      puts(rig.a, "k", "1");
      Submission<Void> e =
          loop.pushEvent(new Ev("e", EventSpec.bestEffort().deadline(Duration.ofSeconds(3))));
      Submission<Void> behind = loop.pushEvent(Ev.of("behind"));
      loop.advance(Duration.ofSeconds(2));
      assertFalse(behind.outcome().toCompletableFuture().isDone());
      loop.advance(Duration.ofSeconds(1));
      assertInstanceOf(Outcome.Unfinished.class, Rig.await(e));
      assertTrue(Rig.await(behind).isSuccess());
      assertEquals("{}", rig.outside.values.toString());
      loop.releaseAll();
      assertEquals("{k=1}", rig.outside.values.toString());
      assertTrue(rig.trace.contains("done(engine-upkeep,applied)"), rig.trace.toString());
      assertEquals(Optional.of("1"), loop.values().applied(new K("k")));
    }
  }

  @Test
  @DisplayName("JT-4 a call of a serial event that passes its limit ends the event unfinished")
  void serialLimit() {
    try (Rig rig =
        new Rig(
                Mode.MANUAL,
                false,
                config -> config.stepLimit(Duration.ofSeconds(4)),
                builder -> builder)
            .resync()) {
      ManualLoop loop = (ManualLoop) rig.loop;
      loop.hold(action -> true);
      puts(rig.a, "k", "1");
      Submission<Void> e = loop.pushEvent(Ev.of("e"));
      loop.advance(Duration.ofSeconds(4));
      assertInstanceOf(Outcome.Unfinished.class, Rig.await(e));
      assertEquals(LoopState.DEGRADED, loop.status().state());
      loop.releaseAll();
    }
  }

  @Test
  @DisplayName("JT-18 close gives up what hangs at the limit, and still shows the shutdown")
  void closeGivesUp() {
    Rig rig = new Rig(Mode.MANUAL, false, config -> config, builder -> builder).resync();
    ManualLoop loop = (ManualLoop) rig.loop;
    loop.hold(action -> true);
    puts(rig.a, "k", "1");
    Submission<Void> e = loop.pushEvent(Ev.of("e"));
    Submission<Void> behind = loop.pushEvent(Ev.of("behind"));
    loop.close(Duration.ofSeconds(3));
    assertInstanceOf(Outcome.Unfinished.class, Rig.await(e));
    assertInstanceOf(Outcome.Dropped.class, Rig.await(behind));
    assertTrue(rig.trace.contains("a.U(shutdown)"));
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("values behind a worker are committed before the next event begins")
  void workers(Mode mode) {
    try (Rig rig = new Rig(mode, false, config -> config, builder -> builder).resync()) {
      for (int i = 0; i < 50; i++) {
        puts(rig.a, "k", "" + i);
        assertTrue(rig.does(Ev.of("e" + i)).isSuccess());
        assertEquals("{k=" + i + "}", rig.outside.values.toString());
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("EL-44 EL-45 the history is bounded by number and age, and answers what it is asked")
  void history(Mode mode) {
    try (Rig rig = new Rig(mode, config -> config.historyRecords(5), builder -> builder).resync()) {
      Instant before = rig.clock.now();
      for (int i = 1; i < 9; i++) {
        rig.does(Ev.of("e" + i));
        rig.advance(Duration.ofSeconds(1));
      }
      var history = rig.loop.history();
      assertEquals(5, history.first(100).size());
      assertEquals(List.of(4L, 5L), sequences(history.first(2)));
      assertEquals(List.of(7L, 8L), sequences(history.last(2)));
      assertEquals(List.of(6L, 7L), sequences(history.range(6, 7)));
      assertEquals(List.of(), history.range(7, 6));
      assertEquals(
          List.of(5L, 6L),
          sequences(history.between(before.plusSeconds(4), before.plusSeconds(5))));
      assertEquals(List.of(), history.between(before.plusSeconds(5), before.plusSeconds(4)));
      assertThrows(IllegalArgumentException.class, () -> history.last(-1));
      assertTrue(history.bySequence(0).isEmpty());
    }
  }

  private static List<Long> sequences(List<EventRecord> records) {
    return records.stream().map(EventRecord::sequence).toList();
  }

  @Test
  @DisplayName("EL-44 records of the first hour stay, later ones go a day after their end")
  void historyAge() {
    try (Rig rig = Rig.started(Mode.MANUAL)) {
      rig.advance(Duration.ofMinutes(61));
      rig.does(Ev.of("old"));
      rig.advance(Duration.ofHours(24));
      assertEquals(2, rig.loop.history().first(10).size());
      rig.advance(Duration.ofMinutes(1));
      rig.advance(Duration.ofMinutes(1));
      assertEquals(List.of(0L), sequences(rig.loop.history().first(10)));
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("JT-10 an observer sees each input before, each decision after it")
  void observer(Mode mode) {
    List<String> seen = java.util.Collections.synchronizedList(new ArrayList<>());
    LoopObserver observer =
        new LoopObserver() {
          @Override
          public void onInput(long turn, Instant now, LoopInput input) {
            seen.add(input.getClass().getSimpleName());
          }

          @Override
          public void onDecision(long turn, LoopDecision decision) {
            if (decision instanceof LoopDecision.Answered answered) {
              seen.add(answered.outcome().word());
            }
          }
        };
    try (Rig rig = new Rig(mode, config -> config, b -> b.observer(observer)).resync()) {
      rig.does(Ev.of("e"));
      assertEquals(
          List.of("Start", "Submitted", "applied"),
          seen.subList(0, seen.indexOf("applied") + 1).stream().distinct().toList());
      assertEquals(List.of("Submitted", "applied"), seen.subList(seen.size() - 2, seen.size()));
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName(
      "JT-10 what cannot be recorded has no effect: the loop aborts, everybody is answered")
  void observerFails(Mode mode) {
    AtomicBoolean full = new AtomicBoolean();
    LoopObserver observer =
        new LoopObserver() {
          @Override
          public void onInput(long turn, Instant now, LoopInput input) {
            if (full.get() && input instanceof LoopInput.Submitted) {
              throw new IllegalStateException("disk full");
            }
          }
        };
    try (Rig rig = new Rig(mode, config -> config, b -> b.observer(observer)).resync()) {
      full.set(true);
      Submission<Void> e = rig.loop.pushEvent(Ev.of("e"));
      assertInstanceOf(Outcome.Dropped.class, Rig.await(e));
      assertEquals(LoopState.ABORTING, rig.loop.status().state());
      assertFalse(rig.trace.contains("a.U(e)"));
      assertInstanceOf(Outcome.Dropped.class, rig.does(Ev.of("e2")));
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("a notification goes to the engine, and to no handler")
  void notification(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      TreeMap<dev.evenkeel.api.Key<?>, Optional<Object>> values = new TreeMap<>();
      values.put(new K("found"), Optional.of("1"));
      assertTrue(rig.does(new Notification(values)).isSuccess());
      rig.traced("done(notification,applied)");
      assertEquals(ValueState.OBTAINED, rig.loop.values().status(new K("found")).state());
    }
  }

  /** Cannot describe itself. */
  record Mute(boolean anError) implements UpdateEvent {
    static final EventType<Mute> TYPE = EventType.of("mute", Mute.class);

    @Override
    public EventType<Mute> type() {
      return TYPE;
    }

    @Override
    public EventSpec spec() {
      return EventSpec.bestEffort();
    }

    @Override
    public String describe() {
      if (anError) {
        throw new AssertionError("no words");
      }
      throw new IllegalStateException("no words");
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("an event that cannot describe itself is processed, and recorded without words")
  void mute(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      for (boolean anError : List.of(true, false)) {
        assertTrue(rig.does(new Mute(anError)).isSuccess());
        assertTrue(rig.loop.history().last(1).get(0).description().contains("failed"));
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("JT-18 closing an aborting loop calls no handler, and ends it")
  void closeAborting(Mode mode) {
    Rig rig = Rig.started(mode);
    rig.a.onUpdate =
        (event, turn) -> {
          throw new FatalLoopException("the end");
        };
    rig.does(Ev.of("e"));
    rig.trace.clear();
    rig.close();
    rig.traced("state(CLOSED)");
    assertEquals(LoopState.CLOSED, rig.loop.status().state());
    assertTrue(rig.loop.status().reason().orElseThrow().contains("the end"));
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("JT-15 a handler that fails in a resync keeps its keys, external values over them")
  void keepsMerged(Mode mode) {
    try (Rig rig = Rig.started(mode)) {
      rig.a.onResync = (event, turn) -> turn.txn().put(new K("k"), "int");
      rig.does(DatastoreResync.of(InputState.empty()));
      rig.does(external("grpc", "k", "ext"));
      assertEquals("{k=ext+int}", rig.outside.values.toString());
      rig.a.onResync =
          (event, turn) -> {
            throw new IllegalStateException("E1");
          };
      rig.does(DatastoreResync.of(InputState.empty()));
      assertEquals("{k=ext+int}", rig.outside.values.toString());
    }
  }

  @Test
  @DisplayName("EW-5 the shutdown has all of its own time, however late the last event ended")
  void shutdownTime() {
    Rig rig = new Rig(Mode.MANUAL, false, config -> config, builder -> builder).resync();
    ManualLoop loop = (ManualLoop) rig.loop;
    puts(rig.a, "k", "1");
    loop.hold(action -> true);
    loop.core().accept(new LoopInput.Close(rig.clock.now().plusSeconds(3)), rig.clock.now());
    loop.run();
    loop.advance(Duration.ofSeconds(4));
    assertFalse(rig.trace.contains("done(shutdown,unfinished)"), rig.trace.toString());
    loop.releaseAll();
    assertTrue(rig.trace.contains("done(shutdown,applied)"), rig.trace.toString());
    assertEquals("{k=1}", rig.outside.values.toString());
    rig.close();
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("with a history of no records nothing is kept once it has ended")
  void noHistory(Mode mode) {
    try (Rig rig = new Rig(mode, config -> config.historyRecords(0), builder -> builder)) {
      rig.resync();
      assertTrue(rig.does(Ev.of("e")).isSuccess());
      assertEquals(List.of(), rig.loop.history().last(10));
    }
  }
}
