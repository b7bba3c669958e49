package dev.evenkeel.txn.engine;

import dev.evenkeel.api.txn.EngineStatistics;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.ActionOutcome;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counts calls of one sort. One thread counts, any thread reads. */
final class CallCounts {
  private static final int RETURNED = 0;
  private static final int FAILED = 1;
  private static final int TIMED_OUT = 2;
  private static final int SUM = 3;
  private static final int LEAST = 4;
  private static final int MOST = 5;

  private final AtomicLongArray counts = new AtomicLongArray(6);

  void add(ActionOutcome outcome) {
    if (outcome instanceof ActionOutcome.Done done) {
      add(RETURNED, done.took());
    } else if (outcome instanceof ActionOutcome.Failed failed) {
      add(FAILED, failed.took());
    } else if (outcome instanceof ActionOutcome.TimedOut) {
      Statistics.add(counts, TIMED_OUT, 1);
    }
  }

  private void add(int slot, Duration took) {
    long nanos = took.toNanos();
    boolean first = counts.getPlain(RETURNED) + counts.getPlain(FAILED) == 0;
    if (first || nanos < counts.getPlain(LEAST)) {
      counts.setOpaque(LEAST, nanos);
    }
    if (nanos > counts.getPlain(MOST)) {
      counts.setOpaque(MOST, nanos);
    }
    Statistics.add(counts, SUM, nanos);
    Statistics.add(counts, slot, 1);
  }

  EngineStatistics.Calls read(String name, Action.Kind kind) {
    long returned = counts.getOpaque(RETURNED);
    long failed = counts.getOpaque(FAILED);
    long timed = Math.max(1, returned + failed);
    return new EngineStatistics.Calls(
        name,
        kind.name().toLowerCase(Locale.ROOT),
        returned,
        failed,
        counts.getOpaque(TIMED_OUT),
        Duration.ofNanos(counts.getOpaque(LEAST)),
        Duration.ofNanos(counts.getOpaque(SUM) / timed),
        Duration.ofNanos(counts.getOpaque(MOST)));
  }
}
