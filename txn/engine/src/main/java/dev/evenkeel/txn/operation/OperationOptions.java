package dev.evenkeel.txn.operation;

import java.time.Duration;

/**
 * How operations are admitted. Immutable; made by whoever builds a controller.
 *
 * @param backOff whether a failed operation's repeat is refused for a while; off for callers that
 *     have a back-off of their own, as CSI's have (JT-12)
 * @param firstDelay after the first failure; doubles with each further one
 * @param longestDelay where the doubling ends
 * @param mostFailures failed operations remembered at once; the oldest is forgotten first
 * @param mostOperations operations between ADMIT and END at once
 */
public record OperationOptions(
    boolean backOff,
    Duration firstDelay,
    Duration longestDelay,
    int mostFailures,
    int mostOperations) {
  /** Refuses numbers that cannot be meant. */
  public OperationOptions {
    if (firstDelay.isNegative() || firstDelay.isZero() || longestDelay.compareTo(firstDelay) < 0) {
      throw new IllegalArgumentException(
          "the first delay is positive and not longer than the longest: " + firstDelay);
    }
    if (mostFailures < 1 || mostOperations < 1) {
      throw new IllegalArgumentException("there is room for one operation at least");
    }
  }

  /** Back-off from 500 ms to 2 min 2 s (operations reference, 2.6); a thousand operations. */
  public static OperationOptions usual() {
    return new OperationOptions(
        true, Duration.ofMillis(500), Duration.ofSeconds(122), 10_000, 1000);
  }

  /** The same without back-off. */
  public OperationOptions withoutBackOff() {
    return new OperationOptions(false, firstDelay, longestDelay, mostFailures, mostOperations);
  }

  /** The same with room for that many operations. */
  public OperationOptions atMost(int operations) {
    return new OperationOptions(backOff, firstDelay, longestDelay, mostFailures, operations);
  }
}
