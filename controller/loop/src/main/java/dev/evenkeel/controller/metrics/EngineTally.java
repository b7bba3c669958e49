package dev.evenkeel.controller.metrics;

import dev.evenkeel.api.txn.OperationFlag;
import dev.evenkeel.api.txn.OperationRecord;
import dev.evenkeel.api.txn.StepRecord;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.controller.core.Count;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Counts what transactions do. Written by the loop's thread, read by any. */
final class EngineTally {
  final Map<TransactionOutcome, Count> transactions = counts(TransactionOutcome.class);
  final Map<StepRecord.Act, Took> steps = new EnumMap<>(StepRecord.Act.class);
  final Map<ValueState, Count> states = counts(ValueState.class);
  private final Map<Result, Map<ValueOperation, Count>> operations = new EnumMap<>(Result.class);

  /** What came of an operation on a value. */
  enum Result {
    /** It was done. */
    DONE,
    /** It failed. */
    FAILED,
    /** Nothing was called. */
    NOOP
  }

  EngineTally() {
    for (Result result : Result.values()) {
      operations.put(result, counts(ValueOperation.class));
    }
    for (StepRecord.Act act : StepRecord.Act.values()) {
      steps.put(act, new Took());
    }
  }

  private static <E extends Enum<E>> Map<E, Count> counts(Class<E> type) {
    Map<E, Count> counts = new EnumMap<>(type);
    for (E one : type.getEnumConstants()) {
      counts.put(one, new Count());
    }
    return counts;
  }

  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  Map<ValueOperation, Count> operations(Result result) {
    return got(operations, result);
  }

  private static <K, V> V got(Map<K, V> map, K key) {
    V value = map.get(key);
    if (value == null) {
      throw new IllegalStateException("no number for " + key);
    }
    return value;
  }

  void ended(TransactionResult result) {
    got(transactions, result.outcome()).add(1);
    List<OperationRecord> done = result.operations();
    for (int i = 0; i < done.size(); i++) {
      OperationRecord operation = done.get(i);
      got(operations(resultOf(operation)), operation.operation()).add(1);
      got(states, operation.after()).add(1);
    }
    List<StepRecord> acts = result.steps();
    for (int i = 0; i < acts.size(); i++) {
      StepRecord step = acts.get(i);
      got(steps, step.act()).add(step.duration().toNanos());
    }
  }

  private static Result resultOf(OperationRecord operation) {
    if (operation.failure().isPresent()) {
      return Result.FAILED;
    }
    return operation.flags().contains(OperationFlag.NOOP) ? Result.NOOP : Result.DONE;
  }
}
