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
import org.jspecify.annotations.Nullable;

/** What one transaction has done so far, in order. */
final class Log {
  private final List<@Nullable OperationRecord> operations = new ArrayList<>();

  /** Where the last operation on a key stands: of those that a later one may join, or of all. */
  private Map<String, Integer> lastOf = Map.of();

  private boolean allIndexed;

  private final List<StepRecord> steps = new ArrayList<>();
  private final List<Failure> failures = new ArrayList<>();

  /**
   * Adds an operation. A create that only found the value pending is one with the real create that
   * follows it, and so is the removal of a pending value with the delete before it (rule 57).
   */
  void add(OperationRecord operation) {
    Integer index = lastOf.isEmpty() ? null : lastOf.get(operation.key());
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
    if (allIndexed || joins(added)) {
      index(added.key(), operations.size());
    } else if (index != null) {
      lastOf.remove(added.key());
    }
    operations.add(added);
  }

  private void index(String key, int at) {
    lastOf = lastOf.isEmpty() ? new HashMap<>() : lastOf;
    lastOf.put(key, at);
  }

  /** Whether an operation that follows on the same key may be one with it. */
  private static boolean joins(OperationRecord operation) {
    return operation.after() == ValueState.PENDING;
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
    if (!allIndexed) {
      allIndexed = true;
      for (int i = 0; i < operations.size(); i++) {
        OperationRecord operation = operations.get(i);
        if (operation != null) {
          index(operation.key(), i);
        }
      }
    }
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
    if (operations.isEmpty()) {
      return List.of();
    }
    List<OperationRecord> all = new ArrayList<>(operations.size());
    for (OperationRecord operation : operations) {
      if (operation != null) {
        all.add(operation);
      }
    }
    return all;
  }

  List<StepRecord> steps() {
    return steps;
  }

  List<Failure> failures() {
    return failures;
  }
}
