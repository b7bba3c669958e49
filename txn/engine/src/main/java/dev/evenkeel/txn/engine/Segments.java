package dev.evenkeel.txn.engine;

import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.txn.TxnEntry;
import dev.evenkeel.txn.engine.Transaction.Wish;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Splits a transaction at its steps; a key belongs to the segment of its last write (JT-5). */
final class Segments {
  private Segments() {}

  /**
   * Values, and the step after them.
   *
   * @param wishes ordered by path
   * @param then absent behind the last step
   */
  record Segment(Collection<Wish> wishes, TxnEntry.@Nullable Act then) {}

  static List<Segment> of(EngineTransaction txn) {
    List<TxnEntry> entries = txn.entries();
    Map<String, Integer> lastWrite = new HashMap<>();
    for (int i = 0; i < entries.size(); i++) {
      Optional<Wish> wish = wish(entries.get(i), txn);
      int at = i;
      wish.ifPresent(w -> lastWrite.put(w.key().path(), at));
    }
    List<Segment> segments = new ArrayList<>();
    TreeMap<String, Wish> wishes = new TreeMap<>();
    for (int i = 0; i < entries.size(); i++) {
      TxnEntry entry = entries.get(i);
      if (entry instanceof TxnEntry.Act act) {
        segments.add(new Segment(wishes.values(), act));
        wishes = new TreeMap<>();
        continue;
      }
      Optional<Wish> wish = wish(entry, txn);
      if (wish.isPresent() && lastWrite.getOrDefault(wish.get().key().path(), -1) == i) {
        wishes.put(wish.get().key().path(), wish.get());
      }
    }
    segments.add(new Segment(wishes.values(), null));
    return segments;
  }

  private static Optional<Wish> wish(TxnEntry entry, EngineTransaction txn) {
    if (entry instanceof TxnEntry.Put<?> put) {
      return Optional.of(new Wish(put.key(), put.value(), put.owner(), txn.retry(), false));
    }
    if (entry instanceof TxnEntry.Delete delete) {
      return Optional.of(new Wish(delete.key(), null, delete.owner(), txn.retry(), false));
    }
    return Optional.empty();
  }

  /** Why a transaction cannot be accepted (rule 13). */
  static Optional<String> reject(EngineTransaction txn) {
    if (txn.entries().stream().anyMatch(TxnEntry.Records.class::isInstance)) {
      return Optional.of("records belong to operations");
    }
    if (txn.method() == EventMethod.UPDATE) {
      return Optional.empty();
    }
    if (txn.revertOnFailure()) {
      return Optional.of("a resync cannot be reverted");
    }
    if (!txn.entries().stream().allMatch(TxnEntry.Put.class::isInstance)) {
      return Optional.of("a resync takes values only: no deletes, no steps");
    }
    return txn.method() == EventMethod.DOWNSTREAM_RESYNC && !txn.entries().isEmpty()
        ? Optional.of("a downstream resync takes no values")
        : Optional.empty();
  }
}
