package dev.evenkeel.api.txn;

import dev.evenkeel.api.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction did, as a value. Immutable.
 *
 * @param number of the transaction in its engine, from 0; negative when it was rejected
 * @param outcome how it ended
 * @param operations executed operations on values, in order
 * @param steps what became of the steps, in order
 * @param failures every failure, the one that decided first
 */
public record TransactionResult(
    long number,
    TransactionOutcome outcome,
    List<OperationRecord> operations,
    List<StepRecord> steps,
    List<Failure> failures) {
  /** Copies the lists. */
  public TransactionResult {
    operations = List.copyOf(operations);
    steps = List.copyOf(steps);
    failures = List.copyOf(failures);
  }

  /**
   * What became of each value that an operation or a failure names, ordered by path. Made anew at
   * each call, in one pass over both lists.
   */
  public List<KeyResult> keys() {
    SortedMap<String, OperationRecord> last = new TreeMap<>();
    operations.forEach(operation -> last.put(operation.key(), operation));
    SortedMap<String, List<Failure>> wrong = new TreeMap<>();
    last.keySet().forEach(key -> wrong.put(key, new ArrayList<>()));
    for (Failure failure : failures) {
      failure
          .key()
          .ifPresent(key -> wrong.computeIfAbsent(key, k -> new ArrayList<>()).add(failure));
    }
    List<KeyResult> keys = new ArrayList<>();
    wrong.forEach((key, of) -> keys.add(keyResult(key, last.get(key), of)));
    return keys;
  }

  private static KeyResult keyResult(
      String key, @Nullable OperationRecord last, List<Failure> failures) {
    if (last == null) {
      Failure first = failures.get(0);
      return new KeyResult(
          key,
          first.base().orElse(key),
          first.owner(),
          ValueOperation.UNDEFINED,
          Optional.empty(),
          failures);
    }
    return new KeyResult(
        key, last.base(), last.owner(), last.operation(), Optional.of(last.after()), failures);
  }
}
