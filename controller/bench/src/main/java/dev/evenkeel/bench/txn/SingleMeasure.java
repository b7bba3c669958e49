package dev.evenkeel.bench.txn;

import dev.evenkeel.api.Key;
import dev.evenkeel.bench.Fork;
import dev.evenkeel.bench.Plan;
import dev.evenkeel.bench.Turns;
import dev.evenkeel.txn.TxnEntry;
import dev.evenkeel.txn.history.HistoryOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One interface created and deleted in an engine that holds n and their bridge, beside the bare map
 * with the same keys; nanoseconds per transaction. The contestant is n.
 */
public final class SingleMeasure implements Fork.Measure {
  static final String ENGINE = "engine";
  static final String PLANNED = "planned";
  static final String MAP = "map";

  private static final int KEYS = 500;

  @Override
  public Map<String, Double> measure(String contestant, Plan plan) {
    int n = Integer.parseInt(contestant);
    Bridged.Backend backend = new Bridged.Backend();
    Engine engine = new Engine(Bridged.descriptors(backend), HistoryOptions.off());
    engine.update(Bridged.bridged(n));
    TreeMap<String, Object> map = new TreeMap<>();
    for (TxnEntry entry : Bridged.bridged(n)) {
      TxnEntry.Put<?> put = (TxnEntry.Put<?>) entry;
      map.put(put.key().path(), put.value());
      if (put.value() instanceof Bridged.Bridge bridge) {
        Bridged.bindings(bridge).forEach(b -> map.put(b.key().path(), b.value()));
      }
    }
    List<List<TxnEntry>> transactions = new ArrayList<>();
    List<String> paths = new ArrayList<>();
    Bridged.Iface value = new Bridged.Iface("new", 1);
    for (int i = 0; i < KEYS; i++) {
      Key<Bridged.Iface> key = Bridged.iface(Bridged.name(100_000_000 + i));
      paths.add(key.path());
      transactions.add(List.of(Engine.put(key, value)));
      transactions.add(List.of(Engine.delete(key)));
    }
    return new Turns()
        .add(ENGINE, all(transactions, engine::update))
        .add(PLANNED, all(transactions, engine::planned))
        .add(
            MAP,
            all(
                paths,
                path -> {
                  map.put(path, value);
                  map.remove(path);
                }))
        .run(plan, 2L * KEYS, 300);
  }

  private static <T> Turns.Timed all(List<T> items, Consumer<T> work) {
    return Turns.of(() -> items.forEach(work));
  }
}
