package dev.evenkeel.txn.engine;

import dev.evenkeel.api.txn.OperationRecord;
import dev.evenkeel.api.txn.Results;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.txn.ActionOutcome;
import dev.evenkeel.txn.Cursor;
import java.util.List;
import java.util.function.Function;

/** A dry run, and then the transaction itself. What is rejected is rejected once. */
final class Planned implements Cursor<TransactionResult> {
  private final Function<List<OperationRecord>, Cursor<TransactionResult>> execution;
  private Cursor<TransactionResult> running;
  private boolean planning = true;

  Planned(
      Cursor<TransactionResult> plan,
      Function<List<OperationRecord>, Cursor<TransactionResult>> execution) {
    this.running = plan;
    this.execution = execution;
  }

  @Override
  public Next<TransactionResult> next(ActionOutcome outcome) {
    Next<TransactionResult> next = running.next(outcome);
    if (planning
        && next instanceof Next.End<TransactionResult> end
        && end.result().outcome() != TransactionOutcome.REJECTED) {
      planning = false;
      running = execution.apply(end.result().operations());
      return running.next(new ActionOutcome.Start());
    }
    return next;
  }

  @Override
  public Results results() {
    return running.results();
  }
}
