package dev.evenkeel.controller.core;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is due when; ties go by number. A cancelled timer is gone at once, since most are cancelled.
 * Core's thread only.
 */
final class TimerQueue {
  private final TreeSet<Timer> queue =
      new TreeSet<>(Comparator.comparing(Timer::at).thenComparing(Timer::id));
  private @Nullable Timer first;
  private long last;

  /** One timer. */
  final class Timer {
    private final long id;
    private final Instant at;
    private final Runnable action;

    private Timer(long id, Instant at, Runnable action) {
      this.id = id;
      this.at = at;
      this.action = action;
    }

    long id() {
      return id;
    }

    Instant at() {
      return at;
    }

    /** It will not run. */
    void cancel() {
      queue.remove(this);
      changed();
    }
  }

  private void changed() {
    first = queue.isEmpty() ? null : queue.first();
  }

  Timer set(Instant at, Runnable action) {
    Timer timer = new Timer(++last, at, action);
    queue.add(timer);
    changed();
    return timer;
  }

  /** When the next one is due. */
  Optional<Instant> next() {
    return Optional.ofNullable(first).map(Timer::at);
  }

  /** The number of one that is due, or 0. */
  long due(Instant now) {
    Timer next = first;
    return next == null || next.at.isAfter(now) ? 0 : next.id;
  }

  /** Runs the one in front, if that is the one. */
  void fire(long id) {
    Timer timer = first;
    if (timer != null && timer.id == id) {
      timer.cancel();
      timer.action.run();
    }
  }
}
