package dev.evenkeel.bench.txn;

import dev.evenkeel.bench.Fork;
import dev.evenkeel.bench.Plan;
import dev.evenkeel.bench.Turns;
import dev.evenkeel.txn.TxnEntry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A full resync of many values that have not changed, in no order, beside comparing two hash maps
 * of them; nanoseconds. And what the values take. The contestant is {@code flat} or {@code
 * derived}.
 */
public final class ResyncMeasure implements Fork.Measure {
  static final String FLAT = "flat";
  static final String DERIVED = "derived";
  static final String ENGINE = "engine";
  static final String MAPS = "maps";
  static final int VALUES = 1_000_000;

  @Override
  public Map<String, Double> measure(String contestant, Plan plan) {
    List<TxnEntry> first = entries(contestant);
    HeapMeasure heap = new HeapMeasure(first);
    Engine engine = heap.filled();
    double bytes = heap.bytes();
    List<TxnEntry> again = entries(contestant);
    Map<String, Object> one = map(entries(contestant));
    Map<String, Object> two = map(again);
    Map<String, Double> figures = new TreeMap<>();
    figures.put(HeapMeasure.BYTES, bytes);
    new Turns()
        .add(ENGINE, Turns.of(() -> check(engine.resync(again).operations().isEmpty())))
        .add(MAPS, Turns.of(() -> check(one.equals(two))))
        .run(plan, 1, 3)
        .forEach(figures::put);
    return figures;
  }

  static List<TxnEntry> entries(String contestant) {
    return contestant.equals(FLAT) ? Bridged.flat(VALUES) : Bridged.labelled(VALUES);
  }

  private static Map<String, Object> map(List<TxnEntry> entries) {
    Map<String, Object> map = new HashMap<>();
    for (TxnEntry entry : entries) {
      TxnEntry.Put<?> put = (TxnEntry.Put<?>) entry;
      map.put(put.key().path(), put.value());
    }
    return map;
  }

  private static void check(boolean unchanged) {
    if (!unchanged) {
      throw new IllegalStateException("something has changed");
    }
  }
}
