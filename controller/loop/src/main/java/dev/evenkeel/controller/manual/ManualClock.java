package dev.evenkeel.controller.manual;

import dev.evenkeel.controller.core.LoopClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * A clock that stands still until it is turned. Any thread; drives a real ring as well as a {@link
 * ManualLoop}.
 */
public final class ManualClock implements LoopClock {
  private final Set<Thread> sleepers = ConcurrentHashMap.newKeySet();
  private volatile Instant now;

  /** A clock that shows the first second of 2026. */
  public ManualClock() {
    this(Instant.parse("2026-01-01T00:00:00Z"));
  }

  /** A clock that shows that time. */
  public ManualClock(Instant start) {
    now = start;
  }

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public long nanos() {
    Instant time = now;
    return time.getEpochSecond() * 1_000_000_000L + time.getNano();
  }

  /** Turns it forward, and wakes whoever sleeps by it. */
  public synchronized void advance(Duration by) {
    if (by.isNegative()) {
      throw new IllegalArgumentException("time does not go back: " + by);
    }
    now = now.plus(by);
    sleepers.forEach(LockSupport::unpark);
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

  @Override
  public void wake(Thread sleeper) {
    LockSupport.unpark(sleeper);
  }
}
