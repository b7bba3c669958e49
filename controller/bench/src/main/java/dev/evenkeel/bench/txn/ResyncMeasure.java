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
 * of them; nanoseconds. And what the values take. The contestant is {@code flat}, {@code derived}
 * or {@code retrieved}, which is flat with a backend that tells of each value what is there.
 */
public final class ResyncMeasure implements Fork.Measure {
  static final String FLAT = "flat";
  static final String DERIVED = "derived";
  static final String RETRIEVED = "retrieved";
  static final String ENGINE = "engine";
  static final String MAPS = "maps";
  static final int VALUES = 1_000_000;

  @Override
  public Map<String, Double> measure(String contestant, Plan plan) {
    int values = plan.size(VALUES);
    Bridged.Backend backend = new Bridged.Backend();
    HeapMeasure heap = new HeapMeasure(entries(contestant, values), backend);
    Engine engine = heap.filled();
    double bytes = heap.bytes();
    if (contestant.equals(RETRIEVED)) {
      backend.there = Bridged.found(values);
    }
    List<TxnEntry> again = entries(contestant, values);
    Map<String, Object> one = map(entries(contestant, values));
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

  static List<TxnEntry> entries(String contestant, int values) {
    return contestant.equals(DERIVED) ? Bridged.labelled(values) : Bridged.flat(values);
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
