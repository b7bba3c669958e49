package dev.evenkeel.bench;

/**
 * How much is measured.
 *
 * @param name for the header
 * @param forks JVMs for each contestant; contestants take turns
 * @param warmups iterations of a JVM that do not count
 * @param iterations that count
 * @param millis how long an iteration takes
 */
public record Plan(String name, int forks, int warmups, int iterations, int millis) {
  /** For results that are kept. */
  public static final Plan FULL = new Plan("full", 5, 6, 4, 400);

  /** To see about where one is. */
  public static final Plan QUICK = new Plan("quick", 1, 5, 2, 400);

  /** To see that everything still runs; no ratio of it is judged. */
  public static final Plan SMOKE = new Plan("smoke", 1, 1, 1, 50);

  /** Whether ratios are judged. */
  public boolean isJudged() {
    return !name.equals(SMOKE.name());
  }

  /** How many of what a suite measures at its largest: all when results are kept, else a tenth. */
  public int size(int full) {
    return name.equals(FULL.name()) ? full : full / 10;
  }

  /** The same with other numbers of JVMs. */
  public Plan forks(int number) {
    return new Plan(name, Math.min(forks, number), warmups, iterations, millis);
  }
}
