package dev.evenkeel.txn.engine;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.txn.OperationFlag;
import dev.evenkeel.api.txn.OperationRecord;
import dev.evenkeel.api.txn.StepRecord;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.api.txn.ValueState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What one transaction has done so far, in order. */
final class Log {
  private final List<@Nullable OperationRecord> operations = new ArrayList<>();
  private final Map<String, Integer> lastOf = new HashMap<>();
  private final List<StepRecord> steps = new ArrayList<>();
  private final List<Failure> failures = new ArrayList<>();

  /**
   * Adds an operation. A create that only found the value pending is one with the real create that
   * follows it, and so is the removal of a pending value with the delete before it (rule 57).
   */
  void add(OperationRecord operation) {
    Integer index = lastOf.get(operation.key());
    OperationRecord before = index == null ? null : operations.get(index);
    OperationRecord added = operation;
    if (index != null && before != null && pendingCreate(before) && sameTurn(before, operation)) {
      if (operation.operation() == ValueOperation.CREATE) {
        operations.set(index, null);
        added = with(operation, before, operation.after());
      }
    } else if (index != null
        && before != null
        && before.operation() == ValueOperation.DELETE
        && before.after() == ValueState.PENDING
        && operation.operation() == ValueOperation.DELETE
        && operation.flags().contains(OperationFlag.NOOP)
        && sameTurn(before, operation)) {
      operations.set(index, with(before, before, operation.after()));
      return;
    }
    lastOf.put(added.key(), operations.size());
    operations.add(added);
  }

  private static boolean pendingCreate(OperationRecord operation) {
    return operation.operation() == ValueOperation.CREATE
        && operation.after() == ValueState.PENDING
        && operation.flags().contains(OperationFlag.NOOP);
  }

  private static boolean sameTurn(OperationRecord a, OperationRecord b) {
    return a.flags().contains(OperationFlag.REVERT) == b.flags().contains(OperationFlag.REVERT);
  }

  /** One operation that stands for two: it begins where the first one began. */
  private static OperationRecord with(OperationRecord of, OperationRecord first, ValueState after) {
    return new OperationRecord(
        of.operation(),
        of.key(),
        of.base(),
        of.owner(),
        first.before(),
        after,
        of.previous(),
        of.current(),
        first.previousFailure(),
        of.failure(),
        of.flags());
  }

  /** The last operation on a key so far. */
  @Nullable OperationRecord last(String path) {
    Integer index = lastOf.get(path);
    return index == null ? null : operations.get(index);
  }

  void add(StepRecord step) {
    steps.add(step);
  }

  void add(Failure failure) {
    failures.add(failure);
  }

  /** How many failures so far. */
  int failed() {
    return failures.size();
  }

  List<OperationRecord> operations() {
    return operations.stream().filter(Objects::nonNull).toList();
  }

  List<StepRecord> steps() {
    return steps;
  }

  List<Failure> failures() {
    return failures;
  }
}
