package dev.evenkeel.bench.txn;

import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.bench.Fork;
import dev.evenkeel.bench.Plan;
import dev.evenkeel.txn.TxnEntry;
import dev.evenkeel.txn.history.HistoryOptions;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Bytes of heap for each value of an engine beyond its key and value, after collecting garbage.
 * Derived keys and values, which the engine holds alone, are weighed by themselves and taken off;
 * what a dependency holds is not. The contestant is {@code flat}, {@code derived} or {@code
 * bridged}.
 */
public final class HeapMeasure implements Fork.Measure {
  static final String BRIDGED = "bridged";
  static final String BYTES = "bytes";
  private static final int BRIDGED_VALUES = 500_000;
  private static final int KEYED_VALUE = 24;
  private static final int REFERENCE = 6;

  @Override
  public Map<String, Double> measure(String contestant, Plan plan) {
    boolean bridged = contestant.equals(BRIDGED);
    List<TxnEntry> entries =
        bridged ? Bridged.bridged(BRIDGED_VALUES / 2) : ResyncMeasure.entries(contestant);
    long before = used();
    Engine engine = new Engine(Bridged.descriptors(new Bridged.Backend()), HistoryOptions.off());
    int values = engine.update(entries).operations().size();
    double bytes = used() - before;
    ValueState state =
        engine.core.values().status(((TxnEntry.Put<?>) entries.get(0)).key()).state();
    if (state != ValueState.CONFIGURED) {
      throw new IllegalStateException("it holds nothing: " + state);
    }
    return Map.of(BYTES, (bytes - derived(entries)) / values);
  }

  /** What the derived keys and values take by themselves. */
  private static double derived(List<TxnEntry> entries) {
    Bridged.Backend backend = new Bridged.Backend();
    List<KeyedValue<?>> all = new ArrayList<>(BRIDGED_VALUES);
    double before = used();
    for (TxnEntry entry : entries) {
      all.addAll(Bridged.derived((TxnEntry.Put<?>) entry));
    }
    double bytes = used() - before;
    double pairs = (double) (KEYED_VALUE + REFERENCE) * all.size();
    all.forEach(one -> backend.create(one.key(), one.value())); // they are still there
    return Math.max(0, bytes - pairs);
  }

  /** Bytes in use once nothing more can be collected. */
  static long used() {
    for (int i = 0; i < 4; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
