package dev.evenkeel.bench.txn;

import dev.evenkeel.bench.Fork;
import dev.evenkeel.bench.Plan;
import dev.evenkeel.bench.Turns;
import dev.evenkeel.txn.TxnEntry;
import dev.evenkeel.txn.history.HistoryOptions;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * One transaction of 2n+1 operations on an empty engine, beside the plain program; nanoseconds. The
 * contestant is n.
 */
public final class BulkMeasure implements Fork.Measure {
  static final String ENGINE = "engine";
  static final String PLANNED = "planned";
  static final String PLAIN = "plain";

  @Override
  public Map<String, Double> measure(String contestant, Plan plan) {
    int n = Integer.parseInt(contestant);
    Bridged.Backend backend = new Bridged.Backend();
    PlainProgram plain = new PlainProgram(backend);
    List<TxnEntry> entries = Bridged.bridged(n);
    return new Turns()
        .add(ENGINE, fresh(backend, n, (engine, in) -> engine.update(in).operations().size()))
        .add(PLANNED, fresh(backend, n, (engine, in) -> engine.planned(in).operations().size()))
        .add(PLAIN, Turns.of(() -> check(n, plain.run(entries))))
        .run(plan, 1, 300);
  }

  private static Turns.Timed fresh(
      Bridged.Backend backend, int n, BiFunction<Engine, List<TxnEntry>, Integer> work) {
    List<TxnEntry> entries = Bridged.bridged(n);
    return () -> {
      Engine engine = new Engine(Bridged.descriptors(backend), HistoryOptions.off());
      return Turns.of(() -> check(n, work.apply(engine, entries))).nanos();
    };
  }

  private static void check(int n, int operations) {
    if (operations != 2 * n + 1) {
      throw new IllegalStateException(operations + " operations");
    }
  }
}
