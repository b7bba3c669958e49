package dev.evenkeel.controller.core;

import java.time.Duration;

/**
 * Times that users give, cut to what a clock can add and count in nanoseconds: somebody who waits
 * for ever waits ten years. Any thread.
 */
public final class Durations {
  /** The longest that is told apart from for ever. */
  static final Duration LONGEST = Duration.ofDays(3650);

  private Durations() {}

  /** The same, or the longest that counts; nothing when it is negative. */
  public static Duration bounded(Duration given) {
    if (given.isNegative()) {
      return Duration.ZERO;
    }
    return given.compareTo(LONGEST) > 0 ? LONGEST : given;
  }
}
