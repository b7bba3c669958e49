package dev.evenkeel.controller.internal;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * How many events may wait (JT-16), and whether any may come at all, in one word: so an event is
 * either refused as closed, or counted before the loop can have seen that nothing is left. Any
 * thread.
 */
public final class Permits {
  private static final long CLOSED = 1L << 62;

  private final int capacity;
  private final AtomicLong word = new AtomicLong();
  private final AtomicInteger highWater = new AtomicInteger();
  private final AtomicInteger waiters = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();

  /** What came of taking a permit. */
  public enum Taken {
    /** It is the caller's until it is given back. */
    YES,
    /** As many as may wait do. */
    FULL,
    /** Nothing comes in any more. */
    CLOSED
  }

  /** That many permits. */
  public Permits(int capacity) {
    this.capacity = capacity;
  }

  /** Takes one, or not; never waits. */
  public Taken take() {
    while (true) {
      long seen = word.get();
      if ((seen & CLOSED) != 0) {
        return Taken.CLOSED;
      }
      if (seen >= capacity) {
        return Taken.FULL;
      }
      if (word.compareAndSet(seen, seen + 1)) {
        return Taken.YES;
      }
    }
  }

  /** The permit just taken is not given back at once: it counts for the high-water mark. */
  public void used() {
    int held = held();
    if (held > highWater.get()) {
      highWater.accumulateAndGet(held, Math::max);
    }
  }

  /** Gives one back. */
  public void release() {
    word.decrementAndGet();
    roomMade();
  }

  /** There may be room now for somebody who waits for it. */
  public void roomMade() {
    if (waiters.get() > 0) {
      lock.lock();
      try {
        room.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Refuses from now on; those who wait for room are refused, too. */
  public void close() {
    long seen = word.get();
    while ((seen & CLOSED) == 0 && !word.compareAndSet(seen, seen | CLOSED)) {
      seen = word.get();
    }
    roomMade();
  }

  /** Whether it refuses. */
  public boolean isClosed() {
    return (word.get() & CLOSED) != 0;
  }

  /** How many are taken. */
  public int held() {
    return (int) (word.get() & ~CLOSED);
  }

  /** Most that were ever taken. */
  public int highWater() {
    return highWater.get();
  }

  /** How many there are. */
  public int capacity() {
    return capacity;
  }

  /**
   * Waits until there may be room, or it is closed.
   *
   * @param blocked whether something else than permits is in the way still
   * @return what is left of the time
   */
  public long awaitRoom(long nanos, BooleanSupplier blocked) throws InterruptedException {
    waiters.incrementAndGet();
    try {
      lock.lockInterruptibly();
      try {
        long left = nanos;
        while (left > 0 && !isClosed() && (held() >= capacity || blocked.getAsBoolean())) {
          left = room.awaitNanos(left);
        }
        return left;
      } finally {
        lock.unlock();
      }
    } finally {
      waiters.decrementAndGet();
    }
  }
}
