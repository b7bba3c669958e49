package dev.evenkeel.api.txn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OperationMarkTest {
  private static List<String> marks(
      ValueOperation operation, ValueState before, ValueState after, OperationFlag... flags) {
    Set<OperationFlag> set = EnumSet.noneOf(OperationFlag.class);
    set.addAll(List.of(flags));
    OperationRecord record =
        new OperationRecord(
            operation,
            "/a/1",
            "/a/1",
            "h",
            before,
            after,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            set);
    return OperationMark.of(record).stream().map(OperationMark::text).toList();
  }

  @Test
  @DisplayName("Parity 62: every flag is a mark")
  void flags() {
    assertEquals(
        List.of("DERIVED", "PROPERTY", "NOOP", "REVERT", "RETRY", "RECREATE"),
        marks(
            ValueOperation.UPDATE,
            ValueState.CONFIGURED,
            ValueState.CONFIGURED,
            OperationFlag.values()));
  }

  @Test
  @DisplayName("Parity 62: what came to pass")
  void begun() {
    ValueState none = ValueState.NONEXISTENT;
    assertEquals(List.of("OBTAINED"), marks(ValueOperation.CREATE, none, ValueState.OBTAINED));
    assertEquals(
        List.of("UNIMPLEMENTED"), marks(ValueOperation.CREATE, none, ValueState.UNIMPLEMENTED));
    assertEquals(List.of("IS-PENDING"), marks(ValueOperation.CREATE, none, ValueState.PENDING));
    assertEquals(List.of("FAILED"), marks(ValueOperation.CREATE, none, ValueState.FAILED));
    assertEquals(List.of("FAILED"), marks(ValueOperation.CREATE, none, ValueState.RETRYING));
    assertEquals(List.of("INVALID"), marks(ValueOperation.CREATE, none, ValueState.INVALID));
    assertEquals(List.of(), marks(ValueOperation.CREATE, none, ValueState.CONFIGURED));
  }

  @Test
  @DisplayName("Parity 62: what goes on")
  void still() {
    assertEquals(
        List.of("STILL-PENDING"),
        marks(ValueOperation.CREATE, ValueState.PENDING, ValueState.PENDING));
    assertEquals(
        List.of("STILL-FAILING"),
        marks(ValueOperation.CREATE, ValueState.RETRYING, ValueState.FAILED));
    assertEquals(
        List.of("STILL-INVALID"),
        marks(ValueOperation.CREATE, ValueState.INVALID, ValueState.INVALID));
  }

  @Test
  @DisplayName("Parity 62: what has ended")
  void ended() {
    ValueState there = ValueState.CONFIGURED;
    assertEquals(List.of("WAS-OBTAINED"), marks(ValueOperation.UPDATE, ValueState.OBTAINED, there));
    assertEquals(
        List.of("WAS-UNIMPLEMENTED"),
        marks(ValueOperation.CREATE, ValueState.UNIMPLEMENTED, there));
    assertEquals(List.of("WAS-MISSING"), marks(ValueOperation.CREATE, ValueState.MISSING, there));
    assertEquals(List.of("WAS-PENDING"), marks(ValueOperation.CREATE, ValueState.PENDING, there));
    assertEquals(List.of("DISCOVERED"), marks(ValueOperation.UPDATE, ValueState.DISCOVERED, there));
    assertEquals(List.of("FIXED"), marks(ValueOperation.UPDATE, ValueState.FAILED, there));
    assertEquals(List.of("FIXED"), marks(ValueOperation.CREATE, ValueState.INVALID, there));
    assertEquals(
        List.of("ALREADY-MISSING"),
        marks(ValueOperation.DELETE, ValueState.MISSING, ValueState.REMOVED));
    assertEquals(
        List.of("ALREADY-REMOVED"),
        marks(ValueOperation.DELETE, ValueState.REMOVED, ValueState.REMOVED));
  }
}
