package dev.evenkeel.txn.engine;

import static dev.evenkeel.txn.engine.Engine.delete;
import static dev.evenkeel.txn.engine.Engine.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.txn.EngineStatistics;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.api.txn.ValueState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The statistics of an engine")
class StatisticsTest {
  private final Engine engine =
      new Engine(outside -> List.of(new MockDescriptor("a", outside).needs("a/2", "a/9")));

  @Test
  @DisplayName("Parity 71: count transactions, operations, states, failures and calls")
  void counts() {
    engine.outside.fail("create a/3");
    engine.full(put("a/1", "i"), put("a/2"));
    engine.update(put("a/3"));
    engine.update(delete("a/1"));
    engine.dry(EventMethod.UPDATE, false, put("a/5"));

    EngineStatistics now = engine.core.statistics();

    assertEquals(
        Map.of(TransactionOutcome.APPLIED, 2L, TransactionOutcome.APPLIED_WITH_FAILURES, 1L),
        now.transactions());
    assertEquals(3, now.total());
    assertEquals(1, now.failures());
    assertEquals(Map.of(ValueOperation.CREATE, 4L, ValueOperation.DELETE, 2L), now.operations());
    assertEquals(1, now.noops());
    assertEquals(
        Map.of(
            ValueState.CONFIGURED, 2L,
            ValueState.PENDING, 1L,
            ValueState.FAILED, 1L,
            ValueState.REMOVED, 2L),
        now.states());
    EngineStatistics.Calls creates = now.calls("DA", "create").orElseThrow();
    assertEquals(2, creates.returned());
    assertEquals(1, creates.failed());
    assertEquals(0, creates.timedOut());
    assertTrue(creates.least().compareTo(creates.mean()) <= 0);
    assertTrue(creates.mean().compareTo(creates.most()) <= 0);
    assertEquals(2, now.calls("DA", "delete").orElseThrow().returned());
    assertEquals(Optional.empty(), now.calls("DA", "update"));
  }

  @Test
  @DisplayName("JT-4 count calls that have not returned")
  void hung() {
    engine.hanging.add("create a/1");
    engine.update(put("a/1"));

    assertEquals(1, engine.core.statistics().calls("DA", "create").orElseThrow().timedOut());
    assertEquals(
        Map.of(TransactionOutcome.UNFINISHED, 1L), engine.core.statistics().transactions());
  }
}
