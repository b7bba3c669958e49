package dev.evenkeel.txn.operation;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.txn.StepRecord;
import dev.evenkeel.api.txn.TransactionOutcome;
import java.util.List;

/**
 * What a run of an operation's script did. Immutable.
 *
 * @param outcome applied, reverted, revert incomplete, or rejected when nothing was begun
 * @param steps what became of the steps, in order
 * @param failures every failure, the one that decided first
 */
public record OperationReport(
    TransactionOutcome outcome, List<StepRecord> steps, List<Failure> failures) {
  /** Copies the lists. */
  public OperationReport {
    steps = List.copyOf(steps);
    failures = List.copyOf(failures);
  }
}
