package dev.evenkeel.txn.engine;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.txn.Results;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.txn.ActionOutcome;
import dev.evenkeel.txn.Cursor;
import java.util.List;

/** A transaction that is not acceptable: no number, no operation (rule 13). */
record Rejected(String reason) implements Cursor<TransactionResult> {
  @Override
  public Next<TransactionResult> next(ActionOutcome outcome) {
    Failure failure = Failure.of(Node.NOBODY, "begin", ErrorKind.INVALID, reason);
    return new Next.End<>(
        new TransactionResult(
            -1, TransactionOutcome.REJECTED, List.of(), List.of(), List.of(failure)));
  }

  @Override
  public Results results() {
    return new StepResults();
  }
}
