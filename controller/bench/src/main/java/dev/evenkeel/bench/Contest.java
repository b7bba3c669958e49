package dev.evenkeel.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;

/**
 * Contestants that take turns: in each round every one runs once, in a JVM of its own, so that a
 * machine that gets slower meanwhile is slower for all. What counts is the median of the rounds; of
 * ratios, the median of the ratios within a round.
 */
public final class Contest {
  private final Map<String, List<Map<String, Double>>> samples = new LinkedHashMap<>();

  /** Has one contestant measured once; usually {@link Fork#run} or {@link Jmh#run}. */
  public interface Sampler {
    /** Figures by name. */
    Map<String, Double> sample(String contestant) throws Exception;
  }

  /** Runs all rounds. */
  public static Contest run(String what, int rounds, List<String> contestants, Sampler sampler)
      throws Exception {
    Contest contest = new Contest();
    for (int round = 1; round <= rounds; round++) {
      for (String contestant : contestants) {
        Report.progress(what + ": " + contestant + ", round " + round + " of " + rounds);
        contest
            .samples
            .computeIfAbsent(contestant, c -> new ArrayList<>())
            .add(sampler.sample(contestant));
      }
    }
    return contest;
  }

  /** The median of a figure of a contestant. */
  public double median(String contestant, String figure) {
    return median(values(contestant, figure));
  }

  /** The median of {@code above / below}, taken round by round. */
  public double ratio(String figure, String above, String below) {
    return pairwise(figure, above, below, (a, b) -> a / b);
  }

  /** The median of {@code above / below}, two figures of one contestant, taken JVM by JVM. */
  public double within(String contestant, String above, String below) {
    double[] first = values(contestant, above);
    double[] second = values(contestant, below);
    double[] both = new double[first.length];
    Arrays.setAll(both, i -> first[i] / second[i]);
    return median(both);
  }

  /** The median of something of two contestants, taken round by round. */
  public double pairwise(String figure, String a, String b, DoubleBinaryOperator what) {
    double[] first = values(a, figure);
    double[] second = values(b, figure);
    double[] both = new double[first.length];
    Arrays.setAll(both, i -> what.applyAsDouble(first[i], second[i]));
    return median(both);
  }

  private double[] values(String contestant, String figure) {
    return samples.get(contestant).stream().mapToDouble(sample -> sample.get(figure)).toArray();
  }

  /** The middle one, or the mean of the two in the middle. */
  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
