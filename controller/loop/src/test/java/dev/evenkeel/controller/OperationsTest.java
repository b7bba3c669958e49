package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.LoopListener;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.api.volume.OperationExecutor;
import dev.evenkeel.codec.jackson.JacksonEventCodec;
import dev.evenkeel.controller.Rig.Mode;
import dev.evenkeel.controller.manual.ManualLoop;
import dev.evenkeel.datastore.MemoryDatastore;
import dev.evenkeel.txn.Action;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Operations in their three turns, on all drivers. */
@DisplayName("An operation")
@Timeout(60)
final class OperationsTest {
  private final ItemHandler items = new ItemHandler();
  private final MemoryDatastore store = MemoryDatastore.create();

  private Rig rig(Mode mode) {
    return new Rig(
            mode,
            config -> config.workers(2),
            builder -> builder.handlers(items).datastore(store, JacksonEventCodec.of(DoItem.TYPE)))
        .resync();
  }

  private static String steps(Rig rig) {
    EventRecord record =
        rig.loop.history().last(50).stream()
            .filter(r -> r.type().equals("do-item"))
            .reduce((x, y) -> y)
            .orElseThrow();
    return record.transaction().orElseThrow().steps().stream()
        .map(s -> s.name() + " " + s.act())
        .toList()
        .toString();
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName(
      "runs its steps on a worker, answers from their results, and then its follow-ups run")
  void makes(Mode mode) {
    try (Rig rig = rig(mode)) {
      Outcome<String> outcome = rig.asks(DoItem.make("x"));
      assertEquals("x1", outcome.orThrow());
      assertEquals("[x1, x2]", items.things.toString());
      assertEquals("[one DONE, two DONE]", steps(rig));
      assertTrue(rig.trace.contains("a.U(after-x)"));
      assertEquals("{made={item/x=yes}}", rig.loop.handlerState().toString());
      assertEquals(List.of(), rig.loop.operations().pending());
      assertFalse(rig.loop.operations().isOperationPending("item/x"));
    }
  }

  /** An operation that no handler knows. */
  private record Orphan() implements UpdateEvent {
    static final EventType<Orphan> TYPE = EventType.of("orphan", Orphan.class);

    @Override
    public EventType<Orphan> type() {
      return TYPE;
    }

    @Override
    public EventSpec spec() {
      LockKey lock = LockKey.of("item/orphan", LockMode.EXCLUSIVE);
      return EventSpec.revertOnFailure()
          .operation(Lane.Operation.making("orphan", "item/orphan", "p", lock));
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName(
      "in which no handler takes part is refused, not remembered as done, and holds nothing")
  void nobodys(Mode mode) {
    try (Rig rig = rig(mode)) {
      for (Rec handler : List.of(rig.a, rig.b, rig.c)) {
        handler.selects = event -> false;
      }
      for (int i = 0; i < 2; i++) {
        Outcome<Void> outcome = rig.does(new Orphan());
        assertInstanceOf(Outcome.Refused.class, outcome);
        assertEquals(ErrorKind.UNIMPLEMENTED, outcome.failures().get(0).kind());
        assertFalse(rig.loop.operations().isOperationPending("item/orphan"));
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("has given its locks back when its end is told, however it ends")
  void locksAtEnd(Mode mode) {
    AtomicReference<OperationExecutor> executor = new AtomicReference<>();
    List<String> pending = Collections.synchronizedList(new ArrayList<>());
    LoopListener listener =
        new LoopListener() {
          @Override
          public void onEnd(EventRecord record) {
            OperationExecutor known = executor.get();
            if (known != null && record.type().equals("do-item")) {
              pending.add(record.outcome().orElse("?") + " " + known.pending());
            }
          }
        };
    try (Rig rig =
        new Rig(
                mode,
                config -> config,
                builder ->
                    builder
                        .handlers(items)
                        .listener(listener)
                        .datastore(store, JacksonEventCodec.of(DoItem.TYPE)))
            .resync()) {
      executor.set(rig.loop.operations());
      rig.asks(DoItem.make("x"));
      rig.asks(new DoItem("make", "x", "other", 0));
      items.failing.add("y2");
      rig.asks(DoItem.make("y"));
      items.more =
          (event, turn) -> {
            throw new IllegalStateException("no plan");
          };
      rig.asks(DoItem.make("z"));
      assertEquals(
          List.of("applied []", "refused []", "reverted []", "refused []"), List.copyOf(pending));
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("that was completed is answered by its repeat from the record; another is refused")
  void repeats(Mode mode) {
    try (Rig rig = rig(mode)) {
      rig.asks(DoItem.make("x"));
      assertEquals("again x1", rig.asks(DoItem.make("x")).orThrow());
      Outcome<String> other = rig.asks(new DoItem("make", "x", "other", 0));
      assertInstanceOf(Outcome.Refused.class, other);
      assertEquals(ErrorKind.ALREADY_EXISTS, other.failures().get(0).kind());
      assertEquals(List.of("make:New", "make:Repeat"), items.found);
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("whose step fails is undone, steps and handlers' state, and has no follow-up")
  void reverts(Mode mode) {
    try (Rig rig = rig(mode)) {
      items.failing.add("x2");
      Outcome<String> outcome = rig.asks(DoItem.make("x"));
      assertTrue(assertInstanceOf(Outcome.Reverted.class, outcome).complete());
      assertEquals("[]", items.things.toString());
      assertEquals("[one DONE, two FAILED, one UNDONE]", steps(rig));
      assertEquals("{made={}}", rig.loop.handlerState().toString());
      assertEquals(List.of("x"), items.reverted);
      assertFalse(rig.trace.contains("a.U(after-x)"));
      items.failing.clear();
      assertTrue(rig.asks(DoItem.make("x")).isSuccess());
      assertEquals(List.of("make:New", "make:New"), items.found);
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("whose undo fails stays open, heals nothing away, and is resumed by its repeat")
  void incompleteUndo(Mode mode) {
    try (Rig rig = rig(mode)) {
      items.failing.add("x2");
      items.failing.add("undo x1");
      Outcome<String> outcome = rig.asks(DoItem.make("x"));
      assertFalse(assertInstanceOf(Outcome.Reverted.class, outcome).complete());
      items.failing.clear();
      assertTrue(rig.asks(DoItem.make("x")).isSuccess());
      assertEquals(List.of("make:New", "make:Interrupted"), items.found);
      assertEquals("[one ADOPTED, two DONE]", steps(rig));
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("JT-13 of other parameters undoes an interrupted one first, then begins anew")
  void recoversBackward(Mode mode) {
    try (Rig rig = rig(mode)) {
      items.failing.add("x2");
      items.failing.add("undo x1");
      rig.asks(DoItem.make("x"));
      items.failing.clear();
      assertTrue(rig.asks(new DoItem("make", "x", "other", 0)).isSuccess());
      assertEquals(List.of("make:New", "make:Interrupted", "make:New"), items.found);
      assertEquals("[one UNDONE, one DONE, two DONE]", steps(rig));
      assertEquals("[x1, x2]", items.things.toString());
      assertEquals("{made={item/x=yes}}", rig.loop.handlerState().toString());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("JT-13 after an interrupted removal completes the removal first")
  void recoversForward(Mode mode) {
    try (Rig rig = rig(mode)) {
      rig.asks(DoItem.make("x"));
      items.failing.add("remove x1");
      Outcome<String> stuck = rig.asks(new DoItem("remove", "x", "", 0));
      assertFalse(assertInstanceOf(Outcome.Reverted.class, stuck).complete());
      assertEquals("[x1]", items.things.toString());
      items.failing.clear();
      assertTrue(rig.asks(new DoItem("change", "x", "new", 0)).isSuccess());
      assertEquals(
          List.of("make:New", "remove:New", "remove:Interrupted", "change:New"), items.found);
      assertEquals("[x1, x2]", items.things.toString());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName(
      "whose handler fails in PLAN is refused: nothing was begun, and its handlers are as before")
  void handlerFails(Mode mode) {
    try (Rig rig = rig(mode)) {
      items.more =
          (event, turn) -> {
            throw new IllegalStateException("E1");
          };
      Outcome<String> outcome = rig.asks(DoItem.make("x"));
      assertInstanceOf(Outcome.Refused.class, outcome);
      assertEquals("{made={}}", rig.loop.handlerState().toString());
      assertEquals("[]", items.things.toString());
      items.more = (event, turn) -> "";
      assertTrue(rig.asks(DoItem.make("x")).isSuccess());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("that mixes values with steps is refused before anything is done")
  void mixed(Mode mode) {
    try (Rig rig = rig(mode)) {
      items.more =
          (event, turn) -> {
            turn.txn().put(new K("v"), "1");
            return "";
          };
      Outcome<String> outcome = rig.asks(DoItem.make("x"));
      assertInstanceOf(Outcome.Refused.class, outcome);
      assertEquals(ErrorKind.UNIMPLEMENTED, outcome.failures().get(0).kind());
      assertEquals("[]", items.things.toString());
      assertEquals("{}", rig.outside.values.toString());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("JT-8 may write state under its locks only")
  void stateUnderLocks(Mode mode) {
    try (Rig rig = rig(mode)) {
      items.more =
          (event, turn) -> {
            turn.state(ItemHandler.MADE).put("item/other", "yes");
            return "";
          };
      Outcome<String> outcome = rig.asks(DoItem.make("x"));
      assertTrue(outcome.failures().get(0).message().contains("no lock on item/other"));
      items.more =
          (event, turn) -> {
            turn.lock(LockKey.of("item/other", LockMode.EXCLUSIVE));
            turn.state(ItemHandler.MADE).put("item/other", "yes");
            return "";
          };
      assertTrue(rig.asks(DoItem.make("x")).isSuccess());
    }
  }

  @Test
  @DisplayName("leaves the loop to others between its turns, and refuses what needs its locks")
  void interleaves() {
    try (Rig rig = rig(Mode.MANUAL)) {
      ManualLoop loop = (ManualLoop) rig.loop;
      loop.hold(action -> action.kind() == Action.Kind.APPLY && action.target().equals("two"));
      Submission<String> make = loop.pushEvent(DoItem.make("x"));
      loop.run();
      assertEquals(1, loop.status().running());
      assertTrue(loop.operations().isOperationPending("item/x"));
      assertTrue(rig.does(Ev.of("between")).isSuccess());
      Outcome<String> busy = rig.asks(new DoItem("change", "x", "q", 0));
      assertEquals(ErrorKind.BUSY, busy.failures().get(0).kind());
      assertFalse(make.outcome().toCompletableFuture().isDone());
      loop.releaseAll();
      assertEquals("x1", Rig.await(make).orThrow());
      assertEquals(0, loop.status().running());
    }
  }

  @Test
  @DisplayName("JT-4 past its deadline is answered unfinished, keeps its locks, and ends later")
  void deadline() {
    try (Rig rig = rig(Mode.MANUAL)) {
      ManualLoop loop = (ManualLoop) rig.loop;
      loop.hold(action -> action.kind() == Action.Kind.APPLY);
      Submission<String> make = loop.pushEvent(new DoItem("make", "x", "p", 7));
      loop.advance(Duration.ofSeconds(6));
      assertFalse(make.outcome().toCompletableFuture().isDone());
      loop.advance(Duration.ofSeconds(1));
      assertInstanceOf(Outcome.Unfinished.class, Rig.await(make));
      Outcome<String> repeat = rig.asks(DoItem.make("x"));
      assertEquals(ErrorKind.BUSY, repeat.failures().get(0).kind());
      loop.releaseAll();
      assertEquals("[x1, x2]", items.things.toString());
      assertTrue(rig.trace.contains("a.U(after-x)"));
      assertEquals(1, rig.trace.stream().filter(t -> t.startsWith("done(do-item,unf")).count());
      assertEquals("again x1", rig.asks(DoItem.make("x")).orThrow());
    }
  }

  @Test
  @DisplayName(
      "JT-4 whose step passes its limit is answered unfinished, and another worker comes in")
  void overdue() {
    try (Rig rig = rig(Mode.MANUAL)) {
      ManualLoop loop = (ManualLoop) rig.loop;
      loop.hold(action -> action.kind() == Action.Kind.APPLY && action.target().equals("two"));
      Submission<String> x = loop.pushEvent(DoItem.make("x"));
      Submission<String> y = loop.pushEvent(DoItem.make("y"));
      Submission<String> z = loop.pushEvent(new DoItem("remove", "z", "", 0));
      loop.run();
      assertFalse(z.outcome().toCompletableFuture().isDone(), "two workers only");
      loop.advance(Duration.ofMinutes(2));
      assertInstanceOf(Outcome.Unfinished.class, Rig.await(x));
      assertInstanceOf(Outcome.Unfinished.class, Rig.await(y));
      assertInstanceOf(Outcome.Applied.class, Rig.await(z));
      loop.releaseAll();
      assertEquals(0, loop.status().running());
      assertEquals("[x1, x2, y1, y2]", items.things.toString());
    }
  }

  @Test
  @DisplayName("JT-18 at close is waited for until the limit, then answered unfinished")
  void close() {
    Rig rig = rig(Mode.MANUAL);
    ManualLoop loop = (ManualLoop) rig.loop;
    loop.hold(action -> action.kind() == Action.Kind.APPLY);
    Submission<String> make = loop.pushEvent(DoItem.make("x"));
    loop.run();
    loop.close(Duration.ofSeconds(3));
    assertInstanceOf(Outcome.Unfinished.class, Rig.await(make));
    assertTrue(rig.trace.indexOf("a.U(shutdown)") > 0);
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("JT-18 that runs when the loop aborts still ends, with its journal")
  void aborting(Mode mode) throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    try (Rig rig = rig(mode)) {
      rig.a.onUpdate =
          (event, turn) -> {
            if (Rec.nameOf(event).equals("fatal")) {
              throw new dev.evenkeel.api.loop.FatalLoopException("the end");
            }
            return "";
          };
      if (rig.loop instanceof ManualLoop manual) {
        manual.hold(action -> action.kind() == Action.Kind.APPLY);
      } else {
        items.more =
            (event, turn) -> {
              turn.txn()
                  .step(
                      dev.evenkeel.api.txn.Steps.step("wait", String.class)
                          .apply(
                              c -> {
                                inside.countDown();
                                go.await();
                                return "";
                              })
                          .undo((c, done) -> {}));
              return "";
            };
      }
      Submission<String> make = rig.loop.pushEvent(DoItem.make("x"));
      rig.settle();
      if (mode != Mode.MANUAL) {
        inside.await();
      }
      rig.does(Ev.of("fatal"));
      go.countDown();
      if (rig.loop instanceof ManualLoop manual) {
        manual.releaseAll();
      }
      assertTrue(Rig.await(make).isSuccess());
      assertEquals("[x1, x2]", items.things.toString());
      assertFalse(rig.trace.contains("a.U(after-x)"));
    }
  }

  @Test
  @DisplayName("is refused by a loop without a datastore")
  void noDatastore() {
    try (Rig rig = Rig.started(Mode.MANUAL)) {
      Outcome<String> outcome = rig.asks(DoItem.make("x"));
      assertEquals(ErrorKind.UNIMPLEMENTED, outcome.failures().get(0).kind());
    }
  }

  @Test
  @DisplayName("that is refused a lock and cannot be taken back says so, and is healed")
  void refusedIncompletely() {
    try (Rig rig = rig(Mode.MANUAL)) {
      ManualLoop loop = (ManualLoop) rig.loop;
      loop.hold(action -> action.kind() == Action.Kind.APPLY);
      Submission<String> holder = loop.pushEvent(DoItem.make("y"));
      loop.run();
      items.more =
          (event, turn) -> {
            turn.onRevert(
                () -> {
                  throw new IllegalStateException("no way back");
                });
            turn.lock(LockKey.of("item/y", LockMode.EXCLUSIVE));
            return "";
          };
      assertEquals("reverted incompletely", rig.asks(DoItem.make("x")).word());
      assertEquals(LoopState.DEGRADED, loop.status().state());
      loop.releaseAll();
      assertTrue(Rig.await(holder).isSuccess());
    }
  }
}
