package dev.evenkeel.txn.engine;

import static dev.evenkeel.txn.engine.Engine.delete;
import static dev.evenkeel.txn.engine.Engine.failures;
import static dev.evenkeel.txn.engine.Engine.ops;
import static dev.evenkeel.txn.engine.Engine.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.event.Notification;
import dev.evenkeel.api.txn.EngineStatistics;
import dev.evenkeel.api.txn.TransactionHistory;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionRecord;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.txn.history.HistoryOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The weaknesses of the engine's model that no scenario names (transactions reference, TW). */
class WeaknessTest {
  private final SouthBound south = new SouthBound();
  private final MockDescriptor a = new MockDescriptor("a", south).needs("a/5", "a/1");
  private final Engine engine = new Engine(south, outside -> List.of(a));

  @Test
  @DisplayName("TW-5 Each value of a notification is filtered, wherever it stands")
  void filtersEach() {
    engine.update(put("a/2", "x"));
    south.takeCalls();
    TreeMap<Key<?>, Optional<Object>> values = new TreeMap<>();
    values.put(Val.key("a/1"), Optional.of(Val.list()));
    values.put(Val.key("a/2"), Optional.of(Val.list("y")));
    values.put(Val.key("a/3"), Optional.of(Val.list()));

    TransactionResult result =
        engine.run(c -> c.beginNotification(new Notification(values), path -> false, engine.now));

    assertEquals(List.of("C a/1 NE>OB", "C a/3 NE>OB"), ops(result));
    assertEquals(Optional.of(Val.list("x")), engine.core.values().applied(Val.key("a/2")));
    assertEquals(ValueState.CONFIGURED, engine.state("a/2"));
    assertEquals(ValueState.CONFIGURED, engine.state("a/2/x"));
    assertEquals(List.of(), south.takeCalls());
  }

  @Test
  @DisplayName("TW-5 A notification of nothing is refused where it is made")
  void nothing() {
    TreeMap<Key<?>, Optional<Object>> none = new TreeMap<>();
    assertThrows(IllegalArgumentException.class, () -> new Notification(none));
  }

  @Test
  @DisplayName("TW-10 An update whose old part cannot go has failed, and its relations are the old")
  void obsoletePart() {
    a.needs("a/1", value -> List.of());
    engine.update(put("a/1", "i"));
    south.fail("delete a/1/i");
    south.takeCalls();

    TransactionResult result = engine.update(put("a/1", "j"));

    assertEquals(TransactionOutcome.APPLIED_WITH_FAILURES, result.outcome());
    assertEquals(List.of("h delete a/1/i"), failures(result));
    assertEquals(ValueState.FAILED, engine.state("a/1"));
    assertTrue(engine.status("a/1").failure().orElseThrow().message().contains("E"));
    assertEquals(ValueState.NONEXISTENT, engine.state("a/1/j"));
    assertEquals(Optional.of(Val.list("i")), engine.core.values().applied(Val.key("a/1")));
    assertEquals(Optional.of(Val.list("j")), engine.core.values().desired(Val.key("a/1")));
    assertTrue(!south.calls.contains("update a/1"), () -> south.calls.toString());

    assertEquals(TransactionOutcome.APPLIED, engine.update(put("a/1", "j")).outcome());
    assertEquals("{a/1=L, a/1/j=j}", south.state().toString());
    assertEquals(ValueState.CONFIGURED, engine.state("a/1"));
  }

  @Test
  @DisplayName("TW-15 After a failure only the failed keys are retrieved, in a retry, too")
  void onlyTheFailed() {
    engine.update(put("a/1"), put("a/2"), put("a/3"));
    south.fail("update a/2");
    engine.update(put("a/2", "x"), put("a/3", "x"));

    assertEquals(List.of(List.of("a/2")), a.askedFor);
    assertEquals(List.of("a/2=L[x] 1"), a.retrieved);
  }

  @Test
  @DisplayName("TW-17 What was read of the history stays as it was, whatever is forgotten since")
  void historyIsASnapshot() {
    Engine small =
        new Engine(
            new SouthBound(),
            outside -> List.of(new MockDescriptor("a", outside)),
            HistoryOptions.standard()
                .bounded(2, 1 << 20, Duration.ofDays(1))
                .initially(Duration.ZERO, 0, 0));
    TransactionHistory history = small.core.history().orElseThrow();
    small.update(put("a/1"));
    small.update(put("a/2"));
    List<TransactionRecord> read = history.last(10);
    String before = read.toString();
    for (int i = 3; i < 20; i++) {
      small.update(put("a/" + i));
    }

    assertEquals(before, read.toString());
    assertEquals(List.of(0L, 1L), read.stream().map(TransactionRecord::number).toList());
    assertEquals(
        List.of(17L, 18L), history.last(10).stream().map(TransactionRecord::number).toList());
    assertThrows(UnsupportedOperationException.class, read::clear);
  }

  @Test
  @DisplayName("TW-17 Statistics are an engine's own, and what was read of them does not change")
  void statisticsAreASnapshot() {
    Engine other = new Engine(outside -> List.of(new MockDescriptor("a", outside)));
    engine.update(put("a/1"));
    EngineStatistics read = engine.core.statistics();
    engine.update(put("a/2"));

    assertEquals(1, read.total());
    assertEquals(2, engine.core.statistics().total());
    assertEquals(0, other.core.statistics().total());
  }

  @Test
  @DisplayName("TW-19 Nobody sees what is half applied, between a failure and its revert either")
  void revertIsIsolated() {
    engine.update(put("a/1", "x"));
    List<String> seen = new ArrayList<>();
    a.beforeRetrieve = () -> seen.add(look());
    south.fail("create a/4", () -> seen.add(look()));

    TransactionResult result = engine.reverting(delete("a/1"), put("a/3"), put("a/4"));

    assertEquals(TransactionOutcome.REVERTED, result.outcome());
    // once in the call that fails, once in the refresh between it and the way back
    assertEquals(List.of("CONFIGURED NONEXISTENT", "CONFIGURED NONEXISTENT"), seen);
    assertEquals("CONFIGURED NONEXISTENT", look());
  }

  private String look() {
    return engine.state("a/1") + " " + engine.state("a/3");
  }
}
