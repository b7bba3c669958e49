package dev.evenkeel.txn.engine;

import static dev.evenkeel.txn.engine.Engine.delete;
import static dev.evenkeel.txn.engine.Engine.failures;
import static dev.evenkeel.txn.engine.Engine.ops;
import static dev.evenkeel.txn.engine.Engine.put;
import static dev.evenkeel.txn.engine.Engine.step;
import static dev.evenkeel.txn.engine.Engine.steps;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.txn.Origin;
import dev.evenkeel.api.txn.Steps;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.ActionOutcome;
import dev.evenkeel.txn.Cursor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HangTest {
  private final Engine engine =
      new Engine(
          outside ->
              List.of(
                  new MockDescriptor("a", outside).needs("a/5", "a/1"),
                  new MockDescriptor("b", outside)));

  @Test
  @DisplayName("TX-66 A hanging create ends the event unfinished; its key is frozen; others go on")
  void hangingCreate() {
    engine.hanging.add("create a/1");

    TransactionResult result = engine.update(put("a/1", "x"), put("b/1"));

    assertEquals(TransactionOutcome.UNFINISHED, result.outcome());
    assertEquals(List.of("C a/1 NE>FA err"), ops(result));
    assertEquals(ErrorKind.DEADLINE_EXCEEDED, result.failures().get(0).kind());
    assertEquals(
        Optional.of(Val.list()), engine.core.values().desired(Val.key("b/1")), "the wish is kept");
    assertEquals(List.of("C b/2 NE>CF"), ops(engine.update(put("b/2"))));
    TransactionResult busy = engine.update(put("a/1", "y"));
    assertEquals(List.of(ErrorKind.BUSY), busy.failures().stream().map(f -> f.kind()).toList());
    assertEquals(List.of(), engine.outside.calls.stream().filter(c -> c.contains("a/1")).toList());
    assertEquals(Set.of("b/1", "b/2"), stateAfterResync(), "a resync leaves the hanging key alone");

    TransactionResult late = engine.returns();
    assertEquals(TransactionOutcome.APPLIED, late.outcome());
    assertEquals(List.of("U a/1 CF>CF", "C a/1/y NE>CF der"), ops(late));
    assertEquals(ValueState.CONFIGURED, engine.state("a/1"));
  }

  private Set<String> stateAfterResync() {
    engine.downstream();
    return engine.outside.state().keySet();
  }

  @Test
  @DisplayName("JT-4 A late success wakes what waited for it")
  void lateWakes() {
    engine.update(put("a/5"));
    engine.hanging.add("create a/1");
    engine.update(put("a/1"));

    assertEquals(List.of("C a/5 PD>CF"), ops(engine.returns()));
    assertEquals(ValueState.CONFIGURED, engine.state("a/1"));
    assertEquals(Optional.empty(), engine.status("a/1").failure());
  }

  @Test
  @DisplayName("JT-4 What is not wanted any more when its create returns is removed then")
  void unwantedMeanwhile() {
    engine.hanging.add("create a/1");
    engine.update(put("a/1", "x"));

    TransactionResult busy = engine.update(delete("a/1"));
    assertEquals(List.of("h delete a/1"), failures(busy));
    assertEquals(List.of(), engine.outside.takeCalls());

    assertEquals(List.of("D a/1 CF>RM"), ops(engine.returns()));
    assertEquals(Set.of(), engine.outside.state().keySet());
  }

  @Test
  @DisplayName(
      "JT-4 A hanging update: the old value still counts, and the new one is believed late")
  void hangingUpdate() {
    engine.update(put("a/1"), put("a/5"));
    engine.hanging.add("update a/1");

    TransactionResult result = engine.update(put("a/1", "x"));
    assertEquals(TransactionOutcome.UNFINISHED, result.outcome());
    assertEquals(ValueState.CONFIGURED, engine.state("a/5"));

    assertEquals(List.of("U a/1 CF>CF", "C a/1/x NE>CF der"), ops(engine.returns()));
    assertEquals(Set.of("a/1", "a/1/x", "a/5"), engine.outside.state().keySet());
  }

  @Test
  @DisplayName("JT-4 A late failure is tried again once, for what is still wanted")
  void lateFailure() {
    engine.hanging.add("create a/1");
    engine.update(put("a/1"));
    engine.outside.fail("create a/1");

    assertEquals(List.of("C a/1 FA>CF"), ops(engine.returns()));
  }

  @Test
  @DisplayName("JT-4 A hanging delete: nothing behind it is undone, and its return finishes it")
  void hangingDelete() {
    engine.update(put("a/1", "x"), put("a/5"));
    engine.hanging.add("delete a/1");

    TransactionResult result = engine.reverting(put("b/1"), delete("a/1"));

    assertEquals(TransactionOutcome.UNFINISHED, result.outcome());
    assertEquals(List.of("D a/1/x CF>RM der", "D a/5 CF>PD", "D a/1 CF>FA err"), ops(result));
    assertEquals(ValueState.PENDING, engine.state("a/5"));
    assertEquals(List.of(), ops(engine.returns()));
    assertEquals(ValueState.NONEXISTENT, engine.state("a/1"));
    assertEquals(Set.of(), engine.outside.state().keySet());
  }

  @Test
  @DisplayName("JT-4 A hanging call while everything is put back leaves the rest as it is")
  void hangingRevert() {
    engine.outside.fail("create b/3");
    engine.hanging.add("delete b/2");

    TransactionResult result = engine.reverting(put("b/1"), put("b/2"), put("b/3"));

    assertEquals(TransactionOutcome.UNFINISHED, result.outcome());
    assertEquals(List.of("h create b/3", "h revert delete b/2"), failures(result));
    assertEquals(Set.of("b/1", "b/2"), engine.outside.state().keySet());
    engine.returns();
    assertEquals(ValueState.NONEXISTENT, engine.state("b/2"));
  }

  @Test
  @DisplayName("JT-4 A hanging step ends the event; nothing is undone; its return is accepted")
  void hangingStep() {
    engine.hanging.add("apply s1");

    TransactionResult result =
        engine.reverting(
            put("a/1"),
            step(Steps.step("s1", String.class).apply(c -> "done").undo((c, done) -> {})),
            put("a/2"));

    assertEquals(TransactionOutcome.UNFINISHED, result.outcome());
    assertEquals(List.of("UNFINISHED s1"), steps(result));
    assertEquals(List.of("C a/1 NE>CF"), ops(result));
    assertEquals(TransactionOutcome.APPLIED, engine.returns().outcome());
  }

  @Test
  @DisplayName("JT-4 A hanging retrieve ends the resync, and its descriptor is left alone")
  void hangingRetrieve() {
    engine.hanging.add("retrieve DA");

    TransactionResult result = engine.full(put("a/1"), put("b/1"));

    assertEquals(TransactionOutcome.UNFINISHED, result.outcome());
    assertEquals(List.of(), engine.outside.takeCalls());
    TransactionResult other = engine.update(put("a/2"), put("b/2"));
    assertEquals(List.of("C a/2 NE>UN noop err", "C b/2 NE>UN noop"), ops(other));
    assertEquals(List.of("C b/1 PD>CF", "C b/2 PD>CF"), ops(engine.downstream()).subList(2, 4));
    engine.returns();
    assertEquals(TransactionOutcome.APPLIED, engine.update(put("a/2")).outcome());
  }

  @Test
  @DisplayName("TX-64 Readers see the state before or after a transaction, never one inside")
  void snapshots() {
    engine.update(put("a/1"));
    var before = engine.core.values();
    Cursor<TransactionResult> cursor =
        engine.core.begin(engine.txn(EventMethod.UPDATE, false, put("a/1", "x"), put("a/2")));
    var next = cursor.next(new ActionOutcome.Start());

    assertThrows(
        IllegalStateException.class,
        () -> engine.core.begin(engine.txn(EventMethod.UPDATE, false)));
    while (next instanceof Cursor.Next.Act<TransactionResult>) {
      assertEquals(ValueState.NONEXISTENT, engine.state("a/2"));
      next = cursor.next(new ActionOutcome.Done(1, Duration.ZERO));
    }
    assertEquals(ValueState.CONFIGURED, engine.state("a/2"));
    assertEquals(ValueState.NONEXISTENT, before.status(Val.key("a/2")).state());
    assertThrows(IllegalStateException.class, () -> cursor.next(new ActionOutcome.Start()));
  }

  @Test
  @DisplayName("An action that does not hang cannot return late")
  void unknownReturn() {
    Cursor<TransactionResult> cursor =
        engine.core.begin(engine.txn(EventMethod.UPDATE, false, put("a/1")));
    var act = (Cursor.Next.Act<TransactionResult>) cursor.next(new ActionOutcome.Start());
    Action action = act.action();
    var unused = cursor.next(new ActionOutcome.Done(1, Duration.ZERO));

    assertThrows(
        IllegalArgumentException.class,
        () ->
            engine.core.beginReturned(
                action, new ActionOutcome.Done(1, Duration.ZERO), path -> false, Engine.NOW));
    assertEquals(1, engine.update(put("a/1")).number());
  }

  @Test
  @DisplayName(
      "TW-9 After a hanging first retrieve nothing is made blindly, and the next one cures")
  void nothingBlind() {
    engine.outside.put("a/1", 3, Origin.NORTH);
    engine.outside.put("b/1", 4, Origin.NORTH);
    engine.hanging.add("retrieve DA");
    engine.full(put("a/1"), put("b/1"));
    engine.returns();
    engine.outside.takeCalls();

    engine.update(put("a/1"), put("b/1"), put("b/2"));

    assertEquals(List.of(), engine.outside.takeCalls());
    engine.downstream();
    assertEquals(List.of("retrieve DA", "retrieve DB", "create b/2"), engine.outside.takeCalls());
    assertEquals(ValueState.CONFIGURED, engine.state("a/1"));
  }

  @Test
  @DisplayName("JT-7 What a hanging retrieve kept from being compared stays dirty")
  void staysDirty() {
    engine.update(put("a/1"), put("b/1"));
    engine.outside.lose("b/1");
    engine.frozen = path -> true;
    engine.downstream();
    engine.frozen = path -> false;
    engine.hanging.add("retrieve DA");

    assertEquals(TransactionOutcome.UNFINISHED, engine.settle().outcome());
    engine.returns();

    assertEquals(List.of("C b/1 MI>CF"), ops(engine.settle()));
    assertEquals(Set.of(), engine.core.dirty());
  }
}
