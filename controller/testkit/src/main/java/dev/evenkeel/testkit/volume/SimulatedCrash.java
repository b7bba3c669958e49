package dev.evenkeel.testkit.volume;

/**
 * Stands for the death of the process: thrown where a {@link FaultPoints fault point} crashes, and
 * by every later call of that life. A test driver stops everything when it sees it.
 */
public final class SimulatedCrash extends Error {
  private static final long serialVersionUID = 1L;

  SimulatedCrash(String point) {
    super("crashed at: " + point);
  }
}
