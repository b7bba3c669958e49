package dev.evenkeel.datastore;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * How long to wait before the next try: the base, twice as long each time, thirty times at most, up
 * to a fifth longer by chance so that many do not try at once. One thread.
 */
final class SyncPause {
  private static final int LONGEST = 30;

  private final Duration base;
  private final SplittableRandom random;
  private int failures;

  SyncPause(Duration base, long seed) {
    this.base = base;
    this.random = new SplittableRandom(seed);
  }

  /** One more failure: the pause that it asks for. */
  Duration failed() {
    long factor = Math.min(LONGEST, 1L << Math.min(failures, 10));
    failures++;
    long nanos = base.toNanos() * factor;
    return Duration.ofNanos(nanos + (long) (nanos * 0.2 * random.nextDouble()));
  }

  /** One more failure: the first in a row asks for none. */
  Duration failedAfterSuccess() {
    if (failures == 0) {
      failures = 1;
      return Duration.ZERO;
    }
    failures--;
    Duration pause = failed();
    failures++;
    return pause;
  }

  void succeeded() {
    failures = 0;
  }
}
