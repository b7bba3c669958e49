package dev.evenkeel.api.txn;

import dev.evenkeel.api.Failure;
import java.util.List;

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
}
