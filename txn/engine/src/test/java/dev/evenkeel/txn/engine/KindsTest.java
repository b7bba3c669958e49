package dev.evenkeel.txn.engine;

import static dev.evenkeel.txn.engine.Engine.delete;
import static dev.evenkeel.txn.engine.Engine.ops;
import static dev.evenkeel.txn.engine.Engine.owned;
import static dev.evenkeel.txn.engine.Engine.put;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.event.Notification;
import dev.evenkeel.api.txn.RetryPolicy;
import dev.evenkeel.api.txn.TransactionKind;
import dev.evenkeel.api.txn.TransactionRecord;
import dev.evenkeel.api.txn.ValueStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a transaction is for")
class KindsTest {
  private final Engine engine =
      new Engine(outside -> List.of(new MockDescriptor("a", outside).needs("a/2", "a/1")));

  private TransactionRecord record(long number) {
    return engine.core.history().orElseThrow().find(number).orElseThrow();
  }

  private static List<String> values(TransactionRecord record) {
    return record.values().stream().map(value -> value.key()).toList();
  }

  @Test
  @DisplayName("Rule 58: a late return is recorded as upkeep, of the call that returned")
  void returned() {
    engine.hanging.add("create a/1");
    engine.update(put("a/1"));

    TransactionRecord record = record(engine.returns().number());

    assertEquals(TransactionKind.UPKEEP, record.kind());
    assertEquals("returned: /a/1", record.description());
  }

  @Test
  @DisplayName("JT-4 a hanging delete that succeeds late leaves nothing behind")
  void deletedLate() {
    engine.update(put("a/1"));
    engine.hanging.add("delete a/1");
    engine.update(delete("a/1"));

    engine.returns();

    assertEquals(List.of(), engine.core.values().statuses("/a/"));
    assertEquals(List.of("C a/1 NE>CF"), ops(engine.update(put("a/1"))));
  }

  @Test
  @DisplayName("Rule 58: keys that have thawed are compared by an upkeep of its own")
  void thawed() {
    TransactionRecord record = record(engine.settle().number());

    assertEquals(TransactionKind.UPKEEP, record.kind());
    assertEquals("look at what was left alone", record.description());
  }

  @Test
  @DisplayName("Rule 58: a retry is recorded with what it retries and the values it wants")
  void retried() {
    engine.retry =
        Optional.of(new RetryPolicy(Duration.ofMillis(100), 1, Duration.ofSeconds(1), 1, 0));
    engine.outside.fail("create a/1");
    engine.outside.fail("create a/3");
    engine.update(put("a/1"), put("a/3"));

    TransactionRecord record = record(engine.pass(100).get(0).result().number());

    assertEquals(TransactionKind.RETRY, record.kind());
    assertEquals(List.of("/a/1", "/a/3"), values(record));
    assertEquals(0, record.retryOf().orElseThrow().transaction());
  }

  @Test
  @DisplayName("Rule 58: a late descriptor is a retry of what nobody implemented")
  void registered() {
    TransactionRecord record =
        record(
            engine
                .run(
                    c ->
                        c.beginRegister(
                            new MockDescriptor("b", engine.outside), engine.frozen, engine.now))
                .number());

    assertEquals(TransactionKind.RETRY_UNIMPLEMENTED, record.kind());
    assertEquals("registered: DB", record.description());
  }

  @Test
  @DisplayName("Rule 58: a resync records what was asked for, by path, and not what is kept")
  void resync() {
    engine.update(owned("kept", "a/5"), put("a/4"));
    engine.keepOwners = Set.of("kept");

    TransactionRecord record = record(engine.full(put("a/3"), put("a/1")).number());

    assertEquals(List.of("/a/1", "/a/3", "/a/4"), values(record));
  }

  @Test
  @DisplayName("Rule 52: of several values that are told, those gone come first, then the new ones")
  void notified() {
    engine.says("a/5", "x");
    engine.says("a/6");
    TreeMap<Key<?>, Optional<Object>> told = new TreeMap<>();
    told.put(Val.key("a/3"), Optional.of(Val.list()));
    told.put(Val.key("a/5"), Optional.of(Val.list("y")));
    told.put(Val.key("a/6"), Optional.empty());
    told.put(Val.key("a/7"), Optional.of(Val.list()));

    List<String> done =
        ops(
            engine.run(
                c -> c.beginNotification(new Notification(told), engine.frozen, engine.now)));

    assertEquals(
        List.of("D a/6 OB>RM", "C a/3 NE>OB", "C a/7 NE>OB"),
        done.stream().filter(op -> !op.contains("a/5")).toList());
    assertEquals("D a/6 OB>RM", done.get(0));
    assertEquals("C a/3 NE>OB", done.get(1));
    assertEquals("C a/7 NE>OB", done.get(2));
  }

  @Test
  @DisplayName("TX-68 what is not valid is told without applying anything")
  void validated() {
    List<ValueStatus> wrong = engine.core.validate(List.of(put("a/1", "bad"), put("a/3")));

    assertEquals(List.of("/a/1"), wrong.stream().map(ValueStatus::key).toList());
    assertEquals(List.of(), engine.outside.takeCalls());
  }
}
