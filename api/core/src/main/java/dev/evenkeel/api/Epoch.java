package dev.evenkeel.api;

/**
 * Number of a term of leadership. A larger one is newer; a write that carries an older one is
 * refused by the store (JT-14).
 *
 * @param number {@code 0} when the controller runs without an election, else positive
 */
public record Epoch(long number) implements Comparable<Epoch> {
  /** No election: nothing is fenced. */
  public static final Epoch NONE = new Epoch(0);

  /** Refuses negative numbers. */
  public Epoch {
    if (number < 0) {
      throw new IllegalArgumentException("an epoch is not negative: " + number);
    }
  }

  @Override
  public int compareTo(Epoch other) {
    return Long.compare(number, other.number);
  }
}
