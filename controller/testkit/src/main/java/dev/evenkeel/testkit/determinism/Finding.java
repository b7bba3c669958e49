package dev.evenkeel.testkit.determinism;

import dev.evenkeel.api.Experimental;

/**
 * Something in a handler's code that may differ from run to run. Immutable.
 *
 * @param rule which of them
 * @param where class and method, with the line if it is known
 * @param what is used there
 */
@Experimental
public record Finding(Rule rule, String where, String what) implements Comparable<Finding> {
  /** What there is. */
  public enum Rule {
    /** The time that is not the turn's. */
    CLOCK,
    /** Random numbers and ids that are not the turn's. */
    RANDOMNESS,
    /** Other threads. */
    THREADS,
    /** An order that hangs on hash codes. */
    HASH_ORDER
  }

  @Override
  public int compareTo(Finding other) {
    int byPlace = where.compareTo(other.where);
    return byPlace == 0 ? what.compareTo(other.what) : byPlace;
  }

  @Override
  public String toString() {
    return where + ": " + what + " (" + rule + ")";
  }
}
