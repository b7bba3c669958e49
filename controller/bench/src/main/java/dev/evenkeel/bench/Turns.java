package dev.evenkeel.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Contestants in one JVM that take turns, each timing itself; the median of each counts. */
public final class Turns {
  private final Map<String, Timed> contestants = new LinkedHashMap<>();

  /** Does the work once, and says how many nanoseconds the part took that counts. */
  public interface Timed {
    long nanos();
  }

  /** Adds a contestant. */
  public Turns add(String name, Timed contestant) {
    contestants.put(name, contestant);
    return this;
  }

  /**
   * Medians in nanoseconds, divided.
   *
   * @param warmTurns turns that do not count at the least, so that a busy machine is no colder
   */
  public Map<String, Double> run(Plan plan, long perTurn, int warmTurns) {
    long millis = plan.millis();
    turns(0, plan.isJudged() ? warmTurns : 1);
    Warmup.run(plan, () -> turns(millis, 1));
    Map<String, List<Long>> measured = turns(plan.iterations() * millis, 3);
    Map<String, Double> medians = new TreeMap<>();
    measured.forEach((name, nanos) -> medians.put(name, median(nanos) / perTurn));
    return medians;
  }

  private Map<String, List<Long>> turns(long millis, int atLeast) {
    Map<String, List<Long>> measured = new LinkedHashMap<>();
    contestants.keySet().forEach(name -> measured.put(name, new ArrayList<>()));
    long end = System.nanoTime() + millis * 1_000_000;
    for (int turn = 0; turn < atLeast || System.nanoTime() < end; turn++) {
      contestants.forEach((name, contestant) -> measured.get(name).add(contestant.nanos()));
    }
    return measured;
  }

  private static double median(List<Long> nanos) {
    long[] sorted = nanos.stream().mapToLong(n -> n).toArray();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** Times something. */
  public static Timed of(Runnable work) {
    return () -> {
      long from = System.nanoTime();
      work.run();
      return System.nanoTime() - from;
    };
  }
}
