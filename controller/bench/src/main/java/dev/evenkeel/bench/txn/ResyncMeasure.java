package dev.evenkeel.bench.txn;

import dev.evenkeel.bench.Fork;
import dev.evenkeel.bench.Plan;
import dev.evenkeel.txn.TxnEntry;
import dev.evenkeel.txn.history.HistoryOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A full resync of many values that have not changed, in no order, beside comparing two hash maps
 * of them; nanoseconds. The contestant is {@code flat} or {@code derived}.
 */
public final class ResyncMeasure implements Fork.Measure {
  static final String FLAT = "flat";
  static final String DERIVED = "derived";
  static final String ENGINE = "engine";
  static final String MAPS = "maps";
  static final int VALUES = 1_000_000;

  @Override
  public Map<String, Double> measure(String contestant, Plan plan) {
    Engine engine = new Engine(Bridged.descriptors(new Bridged.Backend()), HistoryOptions.off());
    engine.update(entries(contestant));
    List<TxnEntry> again = entries(contestant);
    Map<String, Object> one = map(entries(contestant));
    Map<String, Object> two = map(again);
    return new Turns()
        .add(ENGINE, Turns.of(() -> check(engine.resync(again).operations().isEmpty())))
        .add(MAPS, Turns.of(() -> check(one.equals(two))))
        .run(plan, 1, 3);
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
