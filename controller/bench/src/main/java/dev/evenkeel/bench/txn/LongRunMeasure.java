package dev.evenkeel.bench.txn;

import dev.evenkeel.api.Key;
import dev.evenkeel.bench.Fork;
import dev.evenkeel.bench.Plan;
import dev.evenkeel.txn.TxnEntry;
import dev.evenkeel.txn.history.HistoryOptions;
import java.util.List;
import java.util.Map;

/**
 * A million transactions of an engine with a history, which create, change and delete: the heap
 * after the first tenth, and at the end.
 */
public final class LongRunMeasure implements Fork.Measure {
  static final String EARLY = "early";
  static final String LATE = "late";
  private static final int VALUES = 1000;
  private static final int TRANSACTIONS = 1_000_000;

  @Override
  public Map<String, Double> measure(String contestant, Plan plan) {
    Engine engine =
        new Engine(Bridged.descriptors(new Bridged.Backend()), HistoryOptions.standard());
    engine.update(Bridged.bridged(VALUES));
    work(engine, 0, TRANSACTIONS / 10);
    double early = HeapMeasure.used();
    work(engine, TRANSACTIONS / 10, TRANSACTIONS);
    double late = HeapMeasure.used();
    if (engine.core.values().statuses("/bd/").size() != 1) {
      throw new IllegalStateException("the engine was still needed");
    }
    return Map.of(EARLY, early, LATE, late);
  }

  private static void work(Engine engine, int from, int to) {
    for (int i = from; i < to; i++) {
      Key<Bridged.Iface> key = Bridged.iface(Bridged.name(i / 3 % (2 * VALUES)));
      TxnEntry entry = i % 3 == 2 ? Engine.delete(key) : Engine.put(key, new Bridged.Iface("n", i));
      engine.update(List.of(entry));
    }
  }
}
