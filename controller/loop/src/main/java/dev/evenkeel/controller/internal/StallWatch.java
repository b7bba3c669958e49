package dev.evenkeel.controller.internal;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Looks now and then whether the loop is still in the turn in which it was the last time: then
 * something blocks it, and the stack says what. Costs the loop two plain writes a turn.
 */
final class StallWatch {
  /** Odd in the middle of a turn, even between two. */
  private final AtomicLong turns = new AtomicLong();

  private final Duration every;
  private final Thread watched;
  private final Consumer<String> report;
  private final Thread thread;
  private volatile boolean stopping;
  private long lastSeen;
  private long reported;

  StallWatch(String name, Duration every, Thread watched, Consumer<String> report) {
    this.every = every;
    this.watched = watched;
    this.report = report;
    this.thread = new Thread(this::work, name);
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  void stop() {
    stopping = true;
    LockSupport.unpark(thread);
  }

  /** The loop thread begins or ends a turn. */
  void turn() {
    turns.lazySet(turns.getPlain() + 1);
  }

  private void work() {
    while (!stopping) {
      LockSupport.parkNanos(this, every.toNanos());
      look();
    }
  }

  /** Each turn is reported once. */
  void look() {
    long now = turns.get();
    if (now % 2 == 1 && now == lastSeen && now != reported) {
      reported = now;
      StringBuilder stack = new StringBuilder();
      for (StackTraceElement element : watched.getStackTrace()) {
        stack.append("\n  at ").append(element);
      }
      report.accept(stack.toString());
    }
    lastSeen = now;
  }
}
