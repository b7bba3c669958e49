package dev.evenkeel.controller.core;

import dev.evenkeel.api.event.EventSpec;
import java.time.Duration;

/** Watches the deadlines that events have (JT-4). Core's thread only. */
final class Deadlines {
  private final Timing timing;
  private final Passed passed;

  /** What happens then. */
  interface Passed {
    void by(EventRun run, Duration limit);
  }

  Deadlines(Timing timing, Passed passed) {
    this.timing = timing;
    this.passed = passed;
  }

  /** From now on, once; counted from when the event was pushed. */
  void watch(EventRun run) {
    EventSpec spec = run.submitted.said();
    if (run.deadline != null || spec == null || spec.deadline().isEmpty()) {
      return;
    }
    Duration limit = spec.deadline().get();
    Duration left =
        Duration.between(timing.now(), run.submitted.pushed().plus(Durations.bounded(limit)));
    if (left.isNegative() || left.isZero()) {
      passed.by(run, limit);
    } else {
      run.kept = true;
      run.deadline = timing.after(left, () -> passed.by(run, limit));
    }
  }
}
