package dev.evenkeel.bench;

/** What {@code ./evenkeel bench NAME} runs. Implemented once per name, listed in {@link Bench}. */
public interface Suite {
  /** The word after {@code bench}. */
  String name();

  /** What it measures, in one line. */
  String about();

  /**
   * Measures, and reports. Runs in the parent, which is otherwise idle; what it throws ends all.
   */
  void run(Plan plan, Report report) throws Exception;
}
