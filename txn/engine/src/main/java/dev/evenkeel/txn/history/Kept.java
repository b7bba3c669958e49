package dev.evenkeel.txn.history;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.txn.GraphSnapshot;
import dev.evenkeel.api.txn.OperationRecord;
import dev.evenkeel.api.txn.Origin;
import dev.evenkeel.api.txn.TransactionRecord;
import dev.evenkeel.api.txn.TransactionRecord.RecordedValue;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.txn.TxnEntry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of one transaction: what the engine had in hand anyway. The record that readers get
 * is made out of it when one asks, on the reader's thread. Immutable.
 *
 * @param origin of the values
 * @param values puts and deletes only
 * @param graph after it; absent while it runs, and of the initial period
 */
record Kept(
    Begun begun,
    Origin origin,
    List<TxnEntry> values,
    @Nullable List<OperationRecord> planned,
    @Nullable TransactionResult result,
    @Nullable Instant stop,
    @Nullable GraphSnapshot graph,
    boolean shortened,
    long bytes) {
  long number() {
    return begun.number();
  }

  Kept stopped(Instant at) {
    return new Kept(begun, origin, values, planned, result, at, graph, shortened, bytes);
  }

  Kept withoutGraph(long weight) {
    return new Kept(begun, origin, values, planned, result, stop, null, shortened, weight);
  }

  TransactionRecord record() {
    return new TransactionRecord(
        begun.number(),
        begun.kind(),
        begun.method(),
        begun.description(),
        begun.retryOf(),
        values.stream().map(this::recorded).toList(),
        Optional.ofNullable(planned),
        result == null ? List.of() : result.operations(),
        result == null ? List.of() : result.steps(),
        begun.start(),
        Optional.ofNullable(stop),
        begun.dryRun(),
        Optional.ofNullable(result).map(TransactionResult::outcome),
        result == null ? List.<Failure>of() : result.failures(),
        shortened);
  }

  private RecordedValue recorded(TxnEntry entry) {
    if (entry instanceof TxnEntry.Put<?> put) {
      return new RecordedValue(put.key().path(), Optional.of(put.value()), origin, put.owner());
    }
    if (entry instanceof TxnEntry.Delete delete) {
      return new RecordedValue(delete.key().path(), Optional.empty(), origin, delete.owner());
    }
    throw new IllegalStateException("only values are kept: " + entry.getClass().getSimpleName());
  }
}
