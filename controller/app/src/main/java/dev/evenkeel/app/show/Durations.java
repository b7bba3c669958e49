package dev.evenkeel.app.show;

import java.time.Duration;
import java.util.Locale;

/** Durations for people, in one width. Pure. */
final class Durations {
  private Durations() {}

  /** Milliseconds below ten seconds, seconds above; eleven characters. */
  static String text(Duration duration) {
    double millis = duration.toNanos() / 1e6;
    return millis < 10_000
        ? String.format(Locale.ROOT, "%8.1f ms", millis)
        : String.format(Locale.ROOT, "%9.1f s", millis / 1000);
  }
}
