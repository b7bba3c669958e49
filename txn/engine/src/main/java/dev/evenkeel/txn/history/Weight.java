package dev.evenkeel.txn.history;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.txn.OperationRecord;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.txn.TxnEntry;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * About how many bytes a record takes: flat rates for objects, lengths for texts. Values of
 * operations are not weighed again: they are those that were put, or those of the graph.
 */
final class Weight {
  /** A record with its lists. */
  private static final int RECORD = 300;

  private static final int OPERATION = 160;
  private static final int ENTRY = 40;
  private static final int STEP = 120;
  private static final int FAILURE = 160;

  /** An entry of a graph with its status and relations. */
  private static final int NODE = 220;

  /** A branch on the way to it. */
  private static final int BRANCH = 40;

  private Weight() {}

  static long of(
      Begun begun,
      List<TxnEntry> values,
      List<OperationRecord> planned,
      TransactionResult result,
      ToLongFunction<Object> weigher) {
    long sum = (long) RECORD + begun.description().length();
    for (TxnEntry entry : values) {
      sum += ENTRY + (entry instanceof TxnEntry.Put<?> put ? weigher.applyAsLong(put.value()) : 0);
    }
    sum += (long) OPERATION * (planned.size() + result.operations().size());
    sum += (long) STEP * result.steps().size();
    for (Failure failure : result.failures()) {
      sum += (long) FAILURE + failure.message().length();
      for (String suppressed : failure.suppressed()) {
        sum += (long) ENTRY + suppressed.length();
      }
    }
    return sum;
  }

  /** What a graph holds alone that its successors do not share. */
  static long ofGraph(int changed, int depth) {
    return (long) changed * (NODE + (long) BRANCH * depth);
  }
}
