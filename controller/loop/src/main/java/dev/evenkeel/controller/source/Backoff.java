package dev.evenkeel.controller.source;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * How long to wait before the next try: twice as long each time, up to a cap, and up to a fifth
 * longer by chance, so that many do not try at once.
 */
final class Backoff {
  private final Duration first;
  private final Duration cap;
  private final DoubleSupplier random;
  private int failures;

  Backoff(Duration first, Duration cap, DoubleSupplier random) {
    this.first = first;
    this.cap = cap;
    this.random = random;
  }

  /** One more failure: the pause that it asks for. */
  Duration failed() {
    Duration pause = first;
    for (int i = 0; i < failures && pause.compareTo(cap) < 0; i++) {
      pause = pause.multipliedBy(2);
    }
    failures++;
    long nanos = (pause.compareTo(cap) > 0 ? cap : pause).toNanos();
    return Duration.ofNanos(nanos + (long) (nanos * 0.2 * random.getAsDouble()));
  }

  void succeeded() {
    failures = 0;
  }
}
