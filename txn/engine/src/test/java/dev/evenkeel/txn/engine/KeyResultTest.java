package dev.evenkeel.txn.engine;

import static dev.evenkeel.txn.engine.Engine.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.txn.KeyResult;
import dev.evenkeel.api.txn.OperationRecord;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.api.txn.ValueState;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KeyResultTest {
  private final Engine engine =
      new Engine(
          outside ->
              List.of(
                  new MockDescriptor("a", outside).needs("a/2", "a/1"),
                  new MockDescriptor("b", outside)));

  @Test
  @DisplayName("A result tells of each key its base, its owner, its state and all its failures")
  void perKey() {
    IllegalStateException first = new IllegalStateException("E");
    first.addSuppressed(new IllegalArgumentException("and then"));
    engine.outside.fail("create a/1/i", first, () -> {});

    TransactionResult result = engine.update(put("a/1", "i"), put("b/1"));

    List<KeyResult> keys = result.keys();
    assertEquals(List.of("/a/1", "/a/1/i", "/b/1"), keys.stream().map(KeyResult::key).toList());
    KeyResult derived = keys.get(1);
    assertEquals("/a/1", derived.base());
    assertEquals("h", derived.owner());
    assertEquals(ValueOperation.CREATE, derived.operation());
    assertEquals(Optional.of(ValueState.FAILED), derived.state());
    assertEquals(
        List.of("IllegalArgumentException: and then"), derived.failures().get(0).suppressed());
    assertTrue(keys.get(0).clean());
  }

  @Test
  @DisplayName("A key that was refused has a result, too, without an operation")
  void refused() {
    engine.frozen = path -> path.equals("/a/1");

    KeyResult refused = engine.update(put("a/1")).keys().get(0);

    assertEquals(ValueOperation.UNDEFINED, refused.operation());
    assertEquals(Optional.empty(), refused.state());
    assertEquals("h", refused.owner());
  }

  @Test
  @DisplayName(
      "An operation after a failed one holds the earlier failure, also a transaction later")
  void previousFailure() {
    engine.outside.fail("create b/1");
    engine.update(put("b/1"));

    OperationRecord again = engine.update(put("b/1")).operations().get(0);

    assertEquals(ValueState.FAILED, again.before());
    assertEquals("IllegalStateException: E", again.previousFailure().orElseThrow().message());
    assertEquals(Optional.empty(), again.failure());
  }

  @Test
  @DisplayName("TX-03 The operation of a revert holds the failure that it mends")
  void revertHoldsFailure() {
    engine.update(put("a/1", "i"));
    engine.outside.fail("update a/1");

    List<OperationRecord> all = engine.reverting(put("a/1", "j")).operations();

    OperationRecord failed =
        all.stream().filter(o -> o.failure().isPresent()).findFirst().orElseThrow();
    OperationRecord back = all.get(all.indexOf(failed) + 1);
    assertEquals(failed.failure(), back.previousFailure());
    assertEquals("/a/1", back.key());
  }

  @Test
  @DisplayName("TX-21 A pending create and the real one after it are one operation")
  void merged() {
    TransactionResult result = engine.update(put("a/2"), put("a/1"));

    assertEquals(List.of("C a/1 NE>CF", "C a/2 NE>CF"), Engine.ops(result));
  }

  @Test
  @DisplayName("Of many suppressed errors the last entry tells how many are left out")
  void manySuppressed() {
    Exception thrown = new IllegalStateException("E");
    for (int i = 0; i < 20; i++) {
      thrown.addSuppressed(new IllegalStateException("S" + i));
    }

    List<String> suppressed = Failure.of("h", "create", thrown).suppressed();

    assertEquals(Failure.MOST_SUPPRESSED, suppressed.size());
    assertEquals("and 13 more", suppressed.get(Failure.MOST_SUPPRESSED - 1));
  }
}
