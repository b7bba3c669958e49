package dev.evenkeel.txn.mailbox;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** A clock that stands still until it is turned, and drives a real thread. */
public final class HandClock implements EngineClock {
  private final Set<Thread> sleepers = ConcurrentHashMap.newKeySet();
  private volatile Instant now = Instant.EPOCH;

  /** It shows the epoch. */
  public HandClock() {}

  @Override
  public Instant now() {
    return now;
  }

  public void turnTo(Instant time) {
    now = time;
    sleepers.forEach(LockSupport::unpark);
  }

  void advance(Duration by) {
    turnTo(now.plus(by));
  }

  @Override
  public void park(Optional<Instant> until) {
    Thread sleeper = Thread.currentThread();
    sleepers.add(sleeper);
    try {
      if (until.isEmpty() || until.get().isAfter(now)) {
        LockSupport.park(this);
      }
    } finally {
      sleepers.remove(sleeper);
    }
  }

  /** Whether somebody sleeps by it. */
  boolean sleeps(Thread thread) {
    return sleepers.contains(thread);
  }
}
