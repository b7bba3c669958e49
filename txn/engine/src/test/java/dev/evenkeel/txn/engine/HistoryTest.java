package dev.evenkeel.txn.engine;

import static dev.evenkeel.txn.engine.Engine.delete;
import static dev.evenkeel.txn.engine.Engine.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.txn.GraphNode;
import dev.evenkeel.api.txn.GraphSnapshot;
import dev.evenkeel.api.txn.Origin;
import dev.evenkeel.api.txn.Steps;
import dev.evenkeel.api.txn.TransactionHistory;
import dev.evenkeel.api.txn.TransactionKind;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionRecord;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueRevision;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.txn.ActionOutcome;
import dev.evenkeel.txn.Cursor;
import dev.evenkeel.txn.history.HistoryOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HistoryTest {
  private static final Instant T0 = Engine.NOW;

  private static Engine engine(HistoryOptions options) {
    return new Engine(
        new SouthBound(),
        outside ->
            List.of(
                new MockDescriptor("a", outside).needs("a/2", "a/1"),
                new MockDescriptor("b", outside)),
        options);
  }

  private final Engine engine = engine(HistoryOptions.standard());
  private final TransactionHistory history = engine.core.history().orElseThrow();

  private static Instant at(int seconds) {
    return T0.plusSeconds(seconds);
  }

  @Test
  @DisplayName("Rule 58: a record holds number, kind, values, operations, times and outcome")
  void record() {
    engine.now = at(7);
    TransactionResult result = engine.update(put("a/2", "i"), put("b/1"));

    TransactionRecord record = history.find(result.number()).orElseThrow();

    assertEquals(0, record.number());
    assertEquals(TransactionKind.REQUEST, record.kind());
    assertEquals(EventMethod.UPDATE, record.method());
    assertEquals("test", record.description());
    assertEquals(
        List.of(
            new TransactionRecord.RecordedValue(
                "/a/2", Optional.of(Val.list("i")), Origin.NORTH, "h"),
            new TransactionRecord.RecordedValue(
                "/b/1", Optional.of(Val.list()), Origin.NORTH, "h")),
        record.values());
    assertEquals(result.operations(), record.executed());
    assertEquals(at(7), record.start());
    assertEquals(Optional.of(at(7).plusMillis(5)), record.stop());
    assertEquals(Optional.of(TransactionOutcome.APPLIED), record.outcome());
    assertFalse(record.dryRun());
    assertFalse(record.running());
  }

  @Test
  @DisplayName("Rule 58: while it runs, a transaction is found by a preliminary record")
  void preRecord() {
    Cursor<TransactionResult> cursor =
        engine.core.begin(engine.txn(EventMethod.UPDATE, false, put("b/1")));
    cursor.next(new ActionOutcome.Start());

    TransactionRecord record = history.find(0).orElseThrow();

    assertTrue(record.running());
    assertEquals(1, record.values().size());
    assertEquals(List.of(record), history.last(10));
    assertEquals(Optional.empty(), history.graphAfter(0));
  }

  @Test
  @DisplayName("TX-12 A full resync records what goes as well, a downstream one nothing")
  void resyncValues() {
    engine.update(put("b/1"), put("b/2"));
    engine.full(put("b/1"));
    engine.downstream();

    TransactionRecord full = history.find(1).orElseThrow();
    assertEquals(EventMethod.FULL_RESYNC, full.method());
    assertEquals(
        List.of("/b/1 true", "/b/2 false"),
        full.values().stream().map(v -> v.key() + " " + v.value().isPresent()).toList());
    assertEquals(List.of(), history.find(2).orElseThrow().values());
  }

  @Test
  @DisplayName("A notification is recorded as the outside's")
  void notification() {
    engine.says("b/1", "i");

    TransactionRecord record = history.find(0).orElseThrow();
    assertEquals(TransactionKind.NOTIFICATION, record.kind());
    assertEquals(Origin.SOUTH, record.values().get(0).origin());
  }

  @Test
  @DisplayName("Steps are named in a record, and not held by it")
  void steps() {
    engine.update(
        Engine.step(
            Steps.step("image", String.class)
                .apply(context -> "done")
                .undo((context, done) -> {})));

    TransactionRecord record = history.find(0).orElseThrow();
    assertEquals(List.of(), record.values());
    assertEquals("image", record.steps().get(0).name());
  }

  @Test
  @DisplayName("Rule 59: a timeline tells each revision of a key, and that it was gone")
  void timeline() {
    engine.now = at(1);
    engine.update(put("a/2", "i"));
    engine.now = at(2);
    engine.update(put("b/1"));
    engine.now = at(3);
    engine.update(put("a/1"));
    engine.now = at(4);
    engine.update(delete("a/2"));

    List<ValueRevision> revisions = history.timeline("/a/2");

    assertEquals(List.of(0L, 2L, 3L), revisions.stream().map(ValueRevision::transaction).toList());
    assertEquals(
        List.of(at(1), at(3), at(4)), revisions.stream().map(ValueRevision::time).toList());
    GraphNode pending = revisions.get(0).node().orElseThrow();
    assertEquals(ValueState.PENDING, pending.state());
    assertEquals(List.of(new GraphNode.Target("a/1", List.of("/a/1"), false)), pending.targets());
    assertFalse(pending.metadata());
    GraphNode configured = revisions.get(1).node().orElseThrow();
    assertEquals(ValueState.CONFIGURED, configured.state());
    assertTrue(configured.targets().get(0).met());
    assertTrue(configured.metadata());
    assertEquals(Optional.empty(), revisions.get(2).node());
  }

  @Test
  @DisplayName("Rule 59: the graph after a transaction, and at a time, is what it was then")
  void graphs() {
    engine.now = at(1);
    engine.update(put("b/1", "i"));
    engine.now = at(3);
    engine.update(delete("b/1"), put("b/2"));

    GraphSnapshot first = history.graphAfter(0).orElseThrow();
    assertEquals(List.of("/b/1", "/b/1/i"), first.nodes("").stream().map(GraphNode::key).toList());
    assertEquals(Optional.of("/b/1"), first.node("/b/1/i").orElseThrow().base());
    assertEquals(Optional.empty(), history.graphAt(at(1)));
    assertEquals(0, history.graphAt(at(2)).orElseThrow().transaction());
    assertEquals(1, history.graphAt(at(4)).orElseThrow().transaction());
  }

  @Test
  @DisplayName("Graphs share what has not changed")
  void sharing() {
    engine.update(put("b/1"));
    engine.update(put("b/2"));

    GraphAt first = (GraphAt) history.graphAfter(0).orElseThrow();
    GraphAt second = (GraphAt) history.graphAfter(1).orElseThrow();
    assertSame(first.entries().get("/b/1"), second.entries().get("/b/1"));
  }

  @Test
  @DisplayName("TW-23 A record is found by number, also when older ones are gone")
  void byNumber() {
    Engine small = engine(bounds().bounded(3, 1 << 20, Duration.ofDays(1)));
    TransactionHistory few = small.core.history().orElseThrow();
    for (int i = 0; i < 200; i++) {
      small.update(put("b/1", "i" + i));
    }

    assertEquals(Optional.empty(), few.find(196));
    assertEquals(197, few.find(197).orElseThrow().number());
    assertEquals(199, few.find(199).orElseThrow().number());
    assertEquals(Optional.empty(), few.find(200));
    assertEquals(Optional.empty(), few.find(-1));
    assertEquals(3, few.count());
    assertEquals(List.of(198L, 199L), numbers(few.last(2)));
  }

  private static HistoryOptions bounds() {
    return HistoryOptions.standard().initially(Duration.ZERO, 0, 0);
  }

  private static List<Long> numbers(List<TransactionRecord> records) {
    return records.stream().map(TransactionRecord::number).toList();
  }

  @Test
  @DisplayName("TW-16 A history is bounded by age")
  void age() {
    Engine young = engine(bounds().bounded(100, 1 << 20, Duration.ofSeconds(10)));
    for (int i = 0; i < 30; i++) {
      young.now = at(i);
      young.update(put("b/1", "i" + i));
    }

    TransactionHistory few = young.core.history().orElseThrow();
    assertEquals(11, few.count());
    assertEquals(19, few.last(100).get(0).number());
    assertEquals(List.of(21L, 22L, 23L), numbers(few.between(at(21), at(23), 100)));
    assertEquals(List.of(23L), numbers(few.between(at(21), at(23), 1)));
  }

  @Test
  @DisplayName("TW-16 A history is bounded by bytes")
  void bytes() {
    Engine light = engine(bounds().bounded(10_000, 100_000, Duration.ofDays(1)));
    for (int i = 0; i < 500; i++) {
      light.update(put("b/1", "i" + i));
    }

    TransactionHistory few = light.core.history().orElseThrow();
    assertTrue(few.bytes() <= 100_000, "bytes " + few.bytes());
    assertTrue(few.count() > 10 && few.count() < 500, "count " + few.count());
  }

  @Test
  @DisplayName("EW-15 The initial period is kept beyond the bounds, within its own, without graphs")
  void initialPeriod() {
    Engine engine =
        engine(
            HistoryOptions.standard()
                .bounded(3, 1 << 20, Duration.ofDays(1))
                .initially(Duration.ofSeconds(5), 4, 1 << 20));
    for (int i = 0; i < 20; i++) {
      engine.now = at(i);
      engine.update(put("b/1", "i" + i));
    }

    TransactionHistory some = engine.core.history().orElseThrow();
    assertEquals(List.of(0L, 1L, 2L, 3L, 17L, 18L, 19L), numbers(some.last(100)));
    assertEquals(List.of(3L, 17L, 18L, 19L), numbers(some.last(4)));
    assertEquals(2, some.find(2).orElseThrow().number());
    assertEquals(Optional.empty(), some.graphAfter(2));
    assertEquals(7, some.count());
  }

  @Test
  @DisplayName("A record that is too long holds the beginning of its lists, and says so")
  void shortened() {
    HistoryOptions all = HistoryOptions.standard();
    Engine engine =
        engine(
            new HistoryOptions(
                true, 10, 1 << 20, all.age(), all.initPeriod(), 0, 0, 2, 10, v -> 10));

    engine.update(put("b/1"), put("b/2"), put("b/3"));

    TransactionRecord record = engine.core.history().orElseThrow().find(0).orElseThrow();
    assertTrue(record.shortened());
    assertEquals(2, record.values().size());
    assertEquals(2, record.executed().size());
  }

  @Test
  @DisplayName("Switched off, nothing is recorded")
  void off() {
    Engine silent = engine(HistoryOptions.off());
    silent.update(put("b/1"));

    assertEquals(Optional.empty(), silent.core.history());
  }

  @Test
  @DisplayName("A limit that is not positive is refused")
  void limit() {
    assertThrows(IllegalArgumentException.class, () -> history.last(0));
  }
}
