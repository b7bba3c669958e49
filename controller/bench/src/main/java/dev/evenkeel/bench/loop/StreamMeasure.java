package dev.evenkeel.bench.loop;

import dev.evenkeel.bench.Fork;
import dev.evenkeel.bench.Plan;
import dev.evenkeel.bench.Warmup;
import java.util.Map;

/**
 * Events a second of one pusher that always has a window of them under way: it takes the oldest
 * result, and pushes another. For contestants that are too slow for {@link PushBenchmark}'s bursts.
 */
public final class StreamMeasure implements Fork.Measure {
  private final Object[] window = new Object[Contestant.WINDOW];
  private long number;

  /** For the fork. */
  public StreamMeasure() {}

  @Override
  public Map<String, Double> measure(String name, Plan plan) {
    try (Contestant contestant = Contestants.of(name)) {
      Warmup.run(plan, () -> stream(contestant, plan.millis()));
      double perSecond = stream(contestant, (long) plan.iterations() * plan.millis());
      for (Object pending : window) {
        contestant.take(pending);
      }
      return Map.of("score", perSecond);
    }
  }

  private double stream(Contestant contestant, long millis) {
    long from = System.nanoTime();
    long until = from + millis * 1_000_000;
    long first = number;
    long now = from;
    while (now - until < 0) {
      for (int i = 0; i < window.length; i++) {
        if (window[i] != null) {
          contestant.take(window[i]);
        }
        window[i] = contestant.push(new Item(number++));
      }
      now = System.nanoTime();
    }
    return (number - first) * 1e9 / (now - from);
  }
}
