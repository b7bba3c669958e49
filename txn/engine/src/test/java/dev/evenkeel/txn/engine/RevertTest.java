package dev.evenkeel.txn.engine;

import static dev.evenkeel.txn.engine.Engine.delete;
import static dev.evenkeel.txn.engine.Engine.failures;
import static dev.evenkeel.txn.engine.Engine.ops;
import static dev.evenkeel.txn.engine.Engine.put;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.api.txn.ValueState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RevertTest {
  private MockDescriptor descriptorA = new MockDescriptor("a", new SouthBound());

  private Engine engine() {
    return new Engine(
        outside -> {
          descriptorA = new MockDescriptor("a", outside).needs("a/2", "a/1").needs("a/3", "a/1");
          return List.of(
              descriptorA,
              new MockDescriptor("b", outside).needs("b/2/i1", "a/1").needs("b/2/i2", "a/1/i1"),
              new MockDescriptor("c", outside).recreates("c/3"));
        });
  }

  @Test
  @DisplayName("TX-03 A failed update is put back, the latest first")
  void failedUpdate() {
    Engine engine = engine();
    engine.update(put("b/2", "i1", "i2"), put("a/1", "i2"), put("c/3", "i1", "i2"));
    Map<String, String> before = engine.outside.state();
    engine.outside.fail("update a/1");
    engine.outside.takeCalls();

    TransactionResult result = engine.reverting(put("c/3", "i1"), put("a/1", "i1"));

    assertEquals(TransactionOutcome.REVERTED, result.outcome());
    assertEquals(List.of("h update a/1"), failures(result));
    assertEquals(
        List.of(
            "D c/3/i1 CF>RM der recr",
            "D c/3/i2 CF>RM der recr",
            "D c/3 CF>RM recr",
            "C c/3 RM>CF recr",
            "C c/3/i1 NE>CF der recr",
            "D a/1/i2 CF>RM der",
            "U a/1 CF>FA err",
            "U a/1 FA>CF rev",
            "C a/1/i2 NE>CF der rev",
            "D c/3/i1 CF>RM der rev recr",
            "D c/3 CF>RM rev recr",
            "C c/3 RM>CF rev recr",
            "C c/3/i1 NE>CF der rev recr",
            "C c/3/i2 NE>CF der rev"),
        ops(result));
    var reverted = result.operations().get(7);
    assertEquals(Optional.of(Val.list()), reverted.previous());
    assertEquals(Optional.of(Val.list("i2")), reverted.current());
    assertEquals(
        List.of("update a/1", "retrieve DA", "update a/1"),
        engine.outside.takeCalls().subList(6, 9));
    assertEquals(List.of("a/1=L[i1] 0"), descriptorA.retrieved);
    assertEquals(before, engine.outside.state());
    assertEquals(List.of("a/1/i1"), engine.status("b/2").derived().get(1).details());
    assertEquals(Optional.of(2), engine.metadata("c/3"));
    assertEquals(ValueState.CONFIGURED, engine.state("a/1"));
    assertEquals(ValueOperation.UPDATE, engine.status("a/1").last());
    assertEquals(Optional.empty(), engine.status("a/1").failure());
  }

  @Test
  @DisplayName("TX-32 Creates are put back in reverse order; what comes after is never tried")
  void creates() {
    Engine engine = engine();
    engine.outside.fail("create c/3");

    TransactionResult result = engine.reverting(put("c/2"), put("c/3"), put("c/4"));

    assertEquals(
        List.of("C c/2 NE>CF", "C c/3 NE>FA err", "D c/3 FA>RM noop rev", "D c/2 CF>RM rev"),
        ops(result));
    assertEquals(TransactionOutcome.REVERTED, result.outcome());
    assertEquals(Map.of(), engine.outside.state());
    assertEquals(List.of(), engine.core.values().statuses("/"));
  }

  @Test
  @DisplayName(
      "TX-36, TW-2 A dependent that cannot go keeps what it needs, and everything is put back")
  void dependentFails() {
    Engine engine = engine();
    engine.update(put("a/1", "x"), put("a/2"), put("a/3"));
    Map<String, String> before = engine.outside.state();
    engine.outside.fail("delete a/3");

    TransactionResult result = engine.reverting(delete("a/1"));

    assertEquals(TransactionOutcome.REVERTED, result.outcome());
    assertEquals(List.of("h delete a/3"), failures(result));
    assertEquals(before, engine.outside.state());
    assertEquals(
        List.of(
            "D a/1/x CF>RM der",
            "D a/2 CF>PD",
            "D a/3 CF>FA err",
            "C a/2 PD>CF",
            "C a/1/x NE>CF der rev",
            "U a/3 FA>CF noop rev"),
        ops(result));
    for (String path : List.of("a/1", "a/2", "a/3")) {
      assertEquals(ValueState.CONFIGURED, engine.state(path), path);
    }
  }

  @Test
  @DisplayName(
      "TX-36, TW-2 With best effort a dependency is not removed while a dependent is there")
  void dependentFailsBestEffort() {
    Engine engine = engine();
    engine.update(put("a/1"), put("a/2"));
    engine.outside.fail("delete a/2");

    TransactionResult result = engine.update(delete("a/1"));

    assertEquals(TransactionOutcome.APPLIED_WITH_FAILURES, result.outcome());
    assertEquals(List.of("D a/2 CF>FA err"), ops(result));
    assertEquals(Set.of("a/1", "a/2"), engine.outside.state().keySet());
    assertEquals(ValueState.CONFIGURED, engine.state("a/1"));
    assertEquals(Optional.empty(), engine.core.values().desired(Val.key("a/1")));
    assertEquals(
        List.of("D a/2 FA>PD", "D a/1 CF>RM"), ops(engine.downstream()), "the goal is kept");
  }

  @Test
  @DisplayName("TX-37, TW-2 A pending value that fails when its turn comes reverts what woke it")
  void pendingFails() {
    Engine engine = engine();
    engine.update(put("a/2"));
    engine.outside.fail("create a/2");

    TransactionResult result = engine.reverting(put("a/1"));

    assertEquals(TransactionOutcome.REVERTED, result.outcome());
    assertEquals(List.of("h create a/2"), failures(result));
    assertEquals(
        List.of("C a/1 NE>CF", "C a/2 PD>FA err", "D a/1 CF>RM rev", "C a/2 FA>PD noop rev"),
        ops(result));
    assertEquals(ValueState.NONEXISTENT, engine.state("a/1"));
    assertEquals(ValueState.PENDING, engine.state("a/2"));
  }

  @Test
  @DisplayName("Rule 36: a failing revert keeps its failure, the others are still put back")
  void revertFails() {
    Engine engine = engine();
    engine.update(put("c/1"));
    engine.outside.fail("create c/4").fail("delete c/3");

    TransactionResult result =
        engine.reverting(put("c/1", "new"), put("c/2"), put("c/3"), put("c/4"));

    assertEquals(TransactionOutcome.REVERT_INCOMPLETE, result.outcome());
    assertEquals(List.of("h create c/4", "h revert delete c/3"), failures(result));
    assertEquals(ValueState.FAILED, engine.state("c/3"));
    assertEquals(ValueState.NONEXISTENT, engine.state("c/2"));
    assertEquals(Set.of("c/1", "c/3"), engine.outside.state().keySet());
    assertEquals(List.of("D c/3 FA>RM"), ops(engine.downstream()));
  }

  @Test
  @DisplayName("A value that was invalid before comes back as it was: wish and applied apart")
  void invalidBefore() {
    Engine engine = engine();
    engine.update(put("c/1", "x"));
    engine.update(put("c/1", "bad"));
    Map<String, String> before = engine.outside.state();
    engine.outside.fail("create c/2");

    // updates come after creates, so the failing one is an update
    engine.outside.clearFaults();
    engine.update(put("c/5", "1"));
    engine.outside.fail("update c/5");
    TransactionResult result = engine.reverting(put("c/1", "y"), put("c/5", "2"));

    assertEquals(TransactionOutcome.REVERTED, result.outcome());
    assertEquals(ValueState.INVALID, engine.state("c/1"));
    assertEquals(Optional.of(Val.list("bad")), engine.core.values().desired(Val.key("c/1")));
    assertEquals(Optional.of(Val.list("x")), engine.core.values().applied(Val.key("c/1")));
    assertEquals(before.get("c/1/x"), engine.outside.state().get("c/1/x"));
  }

  @Test
  @DisplayName("A value of the outside that was taken over is the outside's again")
  void obtainedBefore() {
    Engine engine = engine();
    engine.says("c/1", "i");
    engine.outside.put("c/1", 7, dev.evenkeel.api.txn.Origin.SOUTH, "i");
    engine.update(put("c/5", "1"));
    engine.outside.fail("update c/5");

    TransactionResult result = engine.reverting(put("c/1", "i", "j"), put("c/5", "2"));

    assertEquals(TransactionOutcome.REVERTED, result.outcome());
    assertEquals(ValueState.OBTAINED, engine.state("c/1"));
    assertEquals(Optional.empty(), engine.core.values().desired(Val.key("c/1")));
  }

  @Test
  @DisplayName("JT-15 The last writer owns a key; owners and policies are put back, too")
  void owners() {
    Engine engine = engine();
    engine.update(Engine.owned("one", "c/1"));
    engine.outside.fail("update c/1").fail("update c/1");

    TransactionResult reverted = engine.reverting(Engine.owned("two", "c/1", "x"));
    assertEquals(List.of("two update c/1"), failures(reverted));
    TransactionResult again = engine.update(Engine.owned("two", "c/1", "x"));
    assertEquals(List.of("two update c/1"), failures(again));
    engine.outside.fail("delete c/1");
    assertEquals(List.of("two delete c/1"), failures(engine.update(delete("c/1"))));
  }

  @Test
  @DisplayName("Rule 34: what was not there because its create had failed is not there afterwards")
  void failedBefore() {
    Engine engine = engine();
    engine.update(put("c/5", "1"));
    engine.outside.fail("create c/1").fail("update c/2");
    engine.update(put("c/1", "old"));
    engine.update(put("c/2", "x"));
    engine.update(put("c/2", "y"));
    Map<String, String> before = engine.outside.state();
    engine.outside.fail("update c/5");

    TransactionResult result =
        engine.reverting(put("c/1", "new"), put("c/2", "z"), put("c/5", "2"));

    assertEquals(TransactionOutcome.REVERTED, result.outcome());
    assertEquals(before, engine.outside.state());
    assertEquals(ValueState.FAILED, engine.state("c/1"));
    assertEquals(Optional.of(Val.list("old")), engine.core.values().desired(Val.key("c/1")));
    assertEquals(Optional.of(Val.list("y")), engine.core.values().desired(Val.key("c/2")));
    engine.downstream();
    assertEquals(ValueState.CONFIGURED, engine.state("c/1"));
    assertEquals(
        Set.of("c/1", "c/1/old", "c/2", "c/2/y", "c/5", "c/5/1"), engine.outside.state().keySet());
  }
}
