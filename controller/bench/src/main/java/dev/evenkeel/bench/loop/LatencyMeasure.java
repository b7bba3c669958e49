package dev.evenkeel.bench.loop;

import dev.evenkeel.bench.Fork;
import dev.evenkeel.bench.Plan;
import dev.evenkeel.bench.Warmup;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * From the push of one item to its result at the pusher, one at a time: both threads have gone to
 * sleep before, as they have when events are rare.
 */
public final class LatencyMeasure implements Fork.Measure {
  private static final int MOST = 1 << 20;
  private static final long PAUSE_NANOS = 20_000;

  /** For the fork. */
  public LatencyMeasure() {}

  @Override
  public Map<String, Double> measure(String name, Plan plan) {
    try (Contestant contestant = Contestants.of(name)) {
      Warmup.run(plan, () -> sample(contestant, plan.millis()));
      double[] nanos = sample(contestant, (long) plan.iterations() * plan.millis());
      Arrays.sort(nanos);
      return Map.of(
          "p50", nanos[nanos.length / 2],
          "p90", nanos[(int) (nanos.length * 0.9)],
          "p99", nanos[(int) (nanos.length * 0.99)]);
    }
  }

  private static double[] sample(Contestant contestant, long millis) {
    double[] nanos = new double[MOST];
    long until = System.nanoTime() + millis * 1_000_000;
    int number = 0;
    long from = System.nanoTime();
    while (from - until < 0 && number < MOST) {
      contestant.take(contestant.push(new Item(number)));
      nanos[number++] = System.nanoTime() - from;
      LockSupport.parkNanos(PAUSE_NANOS);
      from = System.nanoTime();
    }
    return Arrays.copyOf(nanos, number);
  }
}
