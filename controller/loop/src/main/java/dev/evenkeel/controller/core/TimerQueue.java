package dev.evenkeel.controller.core;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** What is due when; ties go by number. Core's thread only. */
final class TimerQueue {
  private final PriorityQueue<Timer> queue =
      new PriorityQueue<>(Comparator.comparing(Timer::at).thenComparing(Timer::id));
  private long last;

  /** One timer. */
  static final class Timer {
    private final long id;
    private final Instant at;
    private @Nullable Runnable action;

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

    /** It will not run; it leaves the queue when it is due or comes to the front. */
    void cancel() {
      action = null;
    }
  }

  Timer set(Instant at, Runnable action) {
    Timer timer = new Timer(++last, at, action);
    queue.add(timer);
    return timer;
  }

  /** When the next one is due. */
  Optional<Instant> next() {
    return Optional.ofNullable(front()).map(Timer::at);
  }

  /** The number of one that is due, or 0. */
  long due(Instant now) {
    Timer front = front();
    return front == null || front.at().isAfter(now) ? 0 : front.id();
  }

  /** Runs the one in front, if that is the one. */
  void fire(long id) {
    Timer front = front();
    if (front != null && front.id() == id) {
      queue.remove();
      Runnable action = front.action;
      if (action != null) {
        action.run();
      }
    }
  }

  private @Nullable Timer front() {
    Timer front = queue.peek();
    while (front != null && front.action == null) {
      queue.remove();
      front = queue.peek();
    }
    return front;
  }
}
