package dev.evenkeel.bench.txn;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.txn.OperationRecord;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.txn.TxnEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The floor: a program without any idea of dependencies that sorts the keys, puts them into a map,
 * makes the same backend call for each and appends the same operation record.
 */
final class PlainProgram {
  private final Bridged.Backend backend;

  private record Wish(Key<?> key, Object value) {}

  PlainProgram(Bridged.Backend backend) {
    this.backend = backend;
  }

  /** How many records it has made. */
  int run(List<TxnEntry> entries) {
    List<Wish> wishes = new ArrayList<>();
    for (TxnEntry entry : entries) {
      TxnEntry.Put<?> put = (TxnEntry.Put<?>) entry;
      wishes.add(new Wish(put.key(), put.value()));
      if (put.value() instanceof Bridged.Bridge bridge) {
        for (KeyedValue<?> binding : Bridged.bindings(bridge)) {
          wishes.add(new Wish(binding.key(), binding.value()));
        }
      }
    }
    wishes.sort(Comparator.comparing(wish -> wish.key().path()));
    TreeMap<String, Object> map = new TreeMap<>();
    List<OperationRecord> log = new ArrayList<>();
    for (Wish wish : wishes) {
      map.put(wish.key().path(), wish.value());
      backend.create(wish.key(), wish.value());
      log.add(record(wish));
    }
    return Math.min(log.size(), map.size());
  }

  private static OperationRecord record(Wish wish) {
    String path = wish.key().path();
    return new OperationRecord(
        ValueOperation.CREATE,
        path,
        path,
        "bench",
        ValueState.NONEXISTENT,
        ValueState.CONFIGURED,
        Optional.empty(),
        Optional.of(wish.value()),
        Optional.empty(),
        Optional.empty(),
        Set.of());
  }
}
