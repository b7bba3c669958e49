package dev.evenkeel.api.txn;

import java.time.Duration;

/**
 * How failed values are tried again: attempt k waits {@code first * factor^(k-1)}, at most {@code
 * cap}. An attribute of the value that was put (transactions reference, TW-6).
 *
 * @param first delay of the first retry; positive
 * @param factor 1 for even delays, 2 for doubling
 * @param cap longest delay
 * @param attempts retries after the first try; 0 for endless
 * @param jitter part of the delay, 0 to 1, that is drawn at random, so that many failures spread
 */
public record RetryPolicy(
    Duration first, double factor, Duration cap, int attempts, double jitter) {
  /** 1 s, doubling, 1 min at most, 3 retries, a tenth of jitter. */
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 3, 0.1);

  /** Refuses what cannot be meant. */
  public RetryPolicy {
    if (first.isNegative() || first.isZero() || cap.compareTo(first) < 0) {
      throw new IllegalArgumentException("a retry's first delay is positive and not over its cap");
    }
    if (factor < 1 || attempts < 0 || jitter < 0 || jitter > 1) {
      throw new IllegalArgumentException(
          "a retry's factor is at least 1, its attempts not negative, its jitter 0 to 1");
    }
  }
}
