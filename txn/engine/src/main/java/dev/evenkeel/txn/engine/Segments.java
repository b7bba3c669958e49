package dev.evenkeel.txn.engine;

import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.txn.RetryPolicy;
import dev.evenkeel.txn.TxnEntry;
import dev.evenkeel.txn.engine.Transaction.Wish;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Splits a transaction at its steps; a key belongs to the segment of its last write (JT-5). */
final class Segments {
  private Segments() {}

  /**
   * Values, and the step after them.
   *
   * @param wishes in no order; of two for a key the last one counts
   * @param then absent behind the last step
   */
  record Segment(Collection<Wish> wishes, TxnEntry.@Nullable Act then) {}

  static List<Segment> of(EngineTransaction txn) {
    List<TxnEntry> entries = txn.entries();
    boolean whole = true;
    for (TxnEntry entry : entries) {
      whole &= !(entry instanceof TxnEntry.Act);
    }
    if (whole) {
      return List.of(new Segment(wishes(txn), null));
    }
    Map<String, Integer> lastWrite = lastWrites(entries);
    List<Segment> segments = new ArrayList<>();
    List<Wish> wishes = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      TxnEntry entry = entries.get(i);
      if (entry instanceof TxnEntry.Act act) {
        segments.add(new Segment(wishes, act));
        wishes = new ArrayList<>();
        continue;
      }
      Wish wish = wish(entry, txn);
      if (wish != null && lastWrite.getOrDefault(wish.key().path(), -1) == i) {
        wishes.add(wish);
      }
    }
    segments.add(new Segment(wishes, null));
    return segments;
  }

  private static List<Wish> wishes(EngineTransaction txn) {
    List<Wish> wishes = new ArrayList<>(txn.entries().size());
    for (TxnEntry entry : txn.entries()) {
      Wish wish = wish(entry, txn);
      if (wish != null) {
        wishes.add(wish);
      }
    }
    return wishes;
  }

  private static Map<String, Integer> lastWrites(List<TxnEntry> entries) {
    Map<String, Integer> last = new HashMap<>();
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i) instanceof TxnEntry.Put<?> put) {
        last.put(put.key().path(), i);
      } else if (entries.get(i) instanceof TxnEntry.Delete delete) {
        last.put(delete.key().path(), i);
      }
    }
    return last;
  }

  private static @Nullable Wish wish(TxnEntry entry, EngineTransaction txn) {
    if (entry instanceof TxnEntry.Put<?> put) {
      Optional<RetryPolicy> retry = put.retry().isPresent() ? put.retry() : txn.retry();
      return new Wish(put.key(), put.value(), put.owner(), retry, false);
    }
    return entry instanceof TxnEntry.Delete delete
        ? new Wish(delete.key(), null, delete.owner(), txn.retry(), false)
        : null;
  }

  /** Why a transaction cannot be accepted (rule 13). */
  static Optional<String> reject(EngineTransaction txn) {
    boolean puts = true;
    for (TxnEntry entry : txn.entries()) {
      if (entry instanceof TxnEntry.Records) {
        return Optional.of("records belong to operations");
      }
      puts &= entry instanceof TxnEntry.Put;
    }
    if (txn.method() == EventMethod.UPDATE) {
      return Optional.empty();
    }
    if (txn.revertOnFailure()) {
      return Optional.of("a resync cannot be reverted");
    }
    if (!puts) {
      return Optional.of("a resync takes values only: no deletes, no steps");
    }
    return txn.method() == EventMethod.DOWNSTREAM_RESYNC && !txn.entries().isEmpty()
        ? Optional.of("a downstream resync takes no values")
        : Optional.empty();
  }
}
