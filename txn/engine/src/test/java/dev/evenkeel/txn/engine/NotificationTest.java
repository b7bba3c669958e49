package dev.evenkeel.txn.engine;

import static dev.evenkeel.txn.engine.Engine.delete;
import static dev.evenkeel.txn.engine.Engine.ops;
import static dev.evenkeel.txn.engine.Engine.put;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.evenkeel.api.txn.Origin;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.api.txn.ValueState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NotificationTest {
  private static Engine withProperties() {
    return new Engine(
        outside -> {
          MockDescriptor a = new MockDescriptor("a", outside);
          a.retrieves = false;
          a.properties = true;
          return List.of(
              a, new MockDescriptor("b", outside).needs("b/2", "a/1").needs("b/2/i2", "a/1/i2"));
        });
  }

  private static Engine plain() {
    return new Engine(
        outside ->
            List.of(new MockDescriptor("a", outside).needs("a/2", "a/1").needs("a/7", "a/8")));
  }

  @Test
  @DisplayName("TX-17 What the outside makes wakes what waited for it")
  void created() {
    Engine engine = withProperties();
    engine.update(put("b/2", "i1", "i2"));

    TransactionResult result = engine.says(10, "a/1", "i1");

    assertEquals(java.util.Optional.of(10), engine.metadata("a/1"));
    assertEquals(List.of("/a/1"), engine.core.values().findByIndex("DA", "parity", "even"));
    assertEquals(
        List.of(
            "C a/1 NE>OB",
            "C b/2 PD>CF",
            "C b/2/i1 NE>CF der",
            "C b/2/i2 NE>PD der noop",
            "C a/1/i1 NE>OB der prop"),
        ops(result));
    assertEquals(List.of("create b/2", "create b/2/i1"), engine.outside.takeCalls());
    assertEquals(ValueOperation.UNDEFINED, engine.status("a/1").last());
  }

  @Test
  @DisplayName("TX-18 What the outside changes and removes")
  void changedAndGone() {
    Engine engine = withProperties();
    engine.update(put("b/2", "i1", "i2"));
    engine.says(10, "a/1", "i1");

    assertEquals(
        List.of("U a/1 OB>OB", "C a/1/i2 NE>OB der prop", "C b/2/i2 PD>CF der"),
        ops(engine.says(11, "a/1", "i1", "i2")));
    assertEquals(java.util.Optional.of(11), engine.metadata("a/1"));
    assertEquals(List.of("/a/1"), engine.core.values().findByIndex("DA", "parity", "odd"));
    assertEquals(
        List.of(
            "D a/1/i1 OB>RM der prop",
            "D b/2/i2 CF>RM der",
            "D a/1/i2 OB>RM der prop",
            "D b/2/i1 CF>RM der",
            "D b/2 CF>PD",
            "D a/1 OB>RM"),
        ops(engine.saysGone("a/1")));
    assertEquals(List.of("a/1"), engine.status("b/2").details());
    assertEquals(ValueState.NONEXISTENT, engine.state("a/1"));
    assertEquals(Map.of(), engine.outside.state());
  }

  @Test
  @DisplayName("TX-52 A notification for a managed value or an unknown key has no effect")
  void ignored() {
    Engine engine = plain();
    engine.update(put("a/1", "x"));

    TransactionResult managed = engine.says("a/1", "y");
    assertEquals(TransactionOutcome.APPLIED, managed.outcome());
    assertEquals(1, managed.number());
    assertEquals(List.of(), ops(managed));
    assertEquals(Val.list("x"), engine.core.values().applied(Val.key("a/1")).orElseThrow());
    assertEquals(List.of(), ops(engine.saysGone("a/1")));
    assertEquals(List.of(), ops(engine.says("z/1")));
    assertEquals(List.of(), ops(engine.saysGone("a/9")));
  }

  @Test
  @DisplayName("TX-54 The controller takes over a value of the outside, and deletes it later")
  void takeOver() {
    Engine engine = plain();
    engine.says("a/1", "i");
    engine.outside.put("a/1", 4, Origin.SOUTH, "i");
    engine.update(put("a/2"));
    engine.outside.takeCalls();

    TransactionResult result = engine.update(put("a/1", "i", "j"));

    assertEquals(
        List.of("U a/1 OB>CF", "U a/1/i OB>CF der noop", "C a/1/j NE>CF der"), ops(result));
    assertEquals(List.of("retrieve DA", "update a/1", "create a/1/j"), engine.outside.takeCalls());
    assertEquals(java.util.Optional.of(4), engine.metadata("a/1"));
    assertEquals(List.of(), ops(engine.saysGone("a/1")));
    assertEquals(
        List.of("D a/1/i CF>RM der", "D a/1/j CF>RM der", "D a/2 CF>PD", "D a/1 CF>RM"),
        ops(engine.update(delete("a/1"))));
    assertEquals(
        List.of("delete a/1/i", "delete a/1/j", "delete a/2", "delete a/1"),
        engine.outside.takeCalls());
  }

  @Test
  @DisplayName("TW-24 A value of the outside does not wait for anything and is never made by us")
  void outsideNeverWaits() {
    Engine engine = plain();

    assertEquals(List.of("C a/7 NE>OB"), ops(engine.says("a/7")));
    engine.saysGone("a/7");
    assertEquals(List.of("C a/8 NE>CF"), ops(engine.update(put("a/8"))));
    assertEquals(ValueState.NONEXISTENT, engine.state("a/7"));
  }

  @Test
  @DisplayName("JT-7 A frozen key is asked about when it thaws, and then wakes what waits for it")
  void frozenNotification() {
    Engine engine = plain();
    engine.update(put("a/2"));
    engine.frozen = path -> path.equals("/a/1");
    engine.outside.put("a/1", 3, Origin.SOUTH);

    assertEquals(List.of(), ops(engine.says("a/1")));
    engine.frozen = path -> false;
    assertEquals(List.of("C a/2 PD>CF"), ops(engine.settle()));
    assertEquals(ValueState.OBTAINED, engine.state("a/1"));
  }

  @Test
  @DisplayName("What is gone is gone, though a dependent will not go")
  void goneAnyway() {
    Engine engine = plain();
    engine.says("a/1");
    engine.update(put("a/2"));
    engine.outside.fail("delete a/2");

    TransactionResult result = engine.saysGone("a/1");

    assertEquals(TransactionOutcome.APPLIED_WITH_FAILURES, result.outcome());
    assertEquals(List.of("D a/2 CF>FA err", "D a/1 OB>RM"), ops(result));
    assertEquals(List.of("U a/2 FA>PD"), ops(engine.downstream()));
    assertEquals(Map.of(), engine.outside.state());
  }

  @Test
  @DisplayName("Metadata of what the outside has changed are asked for again before a take-over")
  void staleMetadata() {
    Engine engine = plain();
    engine.outside.put("a/1", 4, Origin.SOUTH, "i");
    engine.full();
    engine.outside.put("a/1", 9, Origin.SOUTH, "j");
    engine.outside.lose("a/1/i");
    engine.says("a/1", "j");

    engine.update(put("a/1", "k"));

    assertEquals(java.util.Optional.of(9), engine.metadata("a/1"));
  }

  @Test
  @DisplayName("Without metadata nothing is taken over: no descriptor is ever given null")
  void noMetadata() {
    Engine engine = plain();
    engine.says("a/1", "i");
    engine.outside.put("a/1", 4, Origin.SOUTH, "i");
    engine.outside.fail("retrieve DA").fail("retrieve DA");
    engine.outside.takeCalls();

    TransactionResult result = engine.update(put("a/1", "j"));

    assertEquals(TransactionOutcome.APPLIED_WITH_FAILURES, result.outcome());
    assertEquals(List.of("retrieve DA", "retrieve DA"), engine.outside.takeCalls());
    assertEquals(
        dev.evenkeel.api.ErrorKind.FAILED_PRECONDITION,
        engine.status("a/1").failure().orElseThrow().kind());
  }
}
