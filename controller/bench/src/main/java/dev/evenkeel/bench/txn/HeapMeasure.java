package dev.evenkeel.bench.txn;

import dev.evenkeel.api.KeyedValue;
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
 * what a dependency holds is not. By itself it measures the bridged shape.
 */
public final class HeapMeasure implements Fork.Measure {
  static final String BYTES = "bytes";
  private static final int IFACES = 250_000;
  private static final int KEYED_VALUE = 24;

  private final Bridged.Backend backend;
  private List<TxnEntry> entries;
  private double taken;
  private int values;

  /** Of the bridged shape. */
  public HeapMeasure() {
    this(List.of(), new Bridged.Backend());
  }

  HeapMeasure(List<TxnEntry> entries, Bridged.Backend backend) {
    this.entries = entries;
    this.backend = backend;
  }

  @Override
  public Map<String, Double> measure(String contestant, Plan plan) {
    entries = Bridged.bridged(plan.size(IFACES));
    Engine engine = filled();
    double bytes = bytes();
    if (engine.core.values().statuses("/bd/").size() != 1) {
      throw new IllegalStateException("the engine was still needed");
    }
    return Map.of(BYTES, bytes);
  }

  /** An engine that holds the entries. */
  Engine filled() {
    for (List<TxnEntry> few : List.of(Bridged.bridged(1000), Bridged.labelled(1000))) {
      new Engine(Bridged.descriptors(backend), HistoryOptions.off()).update(few); // loads classes
    }
    double before = used();
    Engine engine = new Engine(Bridged.descriptors(backend), HistoryOptions.off());
    values = engine.update(entries).operations().size();
    taken = used() - before;
    return engine;
  }

  /** For each value of the engine that was filled. */
  double bytes() {
    return (taken - derived()) / values;
  }

  /** What the derived keys and values take by themselves. */
  private double derived() {
    List<KeyedValue<?>> all = new ArrayList<>(values);
    double before = used();
    for (TxnEntry entry : entries) {
      all.addAll(Bridged.derived((TxnEntry.Put<?>) entry));
    }
    double bytes = used() - before;
    double pairs = (double) KEYED_VALUE * all.size(); // the list has its room already
    all.forEach(one -> backend.create(one.key(), one.value())); // they are still there
    return Math.max(0, bytes - pairs);
  }

  /** Bytes in use once nothing more can be collected. */
  static long used() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
