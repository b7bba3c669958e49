package dev.evenkeel.controller.internal;

import com.lmax.disruptor.Sequence;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * How many events may wait (JT-16), and whether any may come at all, in one word: so an event is
 * either refused as closed, or counted before the loop can have seen that nothing is left. Any
 * thread, but permits are released by one thread at a time.
 *
 * <p>What pushers count and what the loop counts stand on cache lines of their own, and pushers
 * look at the loop's only when it matters: as far as they know, nothing is free.
 */
public final class Permits {
  private static final long CLOSED = 1L << 62;

  /** What the loop had written a moment before somebody began to wait is seen by then. */
  private static final long SECOND_LOOK_NANOS = 1_000_000;

  private final int capacity;

  /** How many were taken ever, but for those given back at once; and whether it is closed. */
  private final Sequence taken = new Sequence(0);

  /** How many of those were released. */
  private final Sequence released = new Sequence(0);

  /** What was released at least, as pushers saw it last. */
  private final Sequence seen = new Sequence(0);

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
      long now = taken.get();
      if ((now & CLOSED) != 0) {
        return Taken.CLOSED;
      }
      if (now - seen.get() >= capacity && now - look() >= capacity) {
        return Taken.FULL;
      }
      if (taken.compareAndSet(now, now + 1)) {
        return Taken.YES;
      }
    }
  }

  /** Looks what the loop has released. */
  private long look() {
    long now = released.get();
    seen.set(now);
    return now;
  }

  /** The permit just taken is not given back at once: it counts for the high-water mark. */
  public void used() {
    int most = highWater.get();
    long now = taken.get() & ~CLOSED;
    if (now - seen.get() > most) {
      int held = (int) (now - look()); // counted before it looks: not more than there were
      if (held > most) {
        highWater.accumulateAndGet(held, Math::max);
      }
    }
  }

  /** The permit just taken is of no use; whoever took it says so. */
  public void giveBack() {
    taken.addAndGet(-1);
    roomMade();
  }

  /**
   * One that was used is free again. One thread at a time. There is no fence between the two steps,
   * which would cost an event more than all else here: so it may miss somebody who begins to wait
   * just now, and {@link #awaitRoom} looks a second time.
   */
  public void release() {
    released.set(released.get() + 1);
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
    long now = taken.get();
    while ((now & CLOSED) == 0 && !taken.compareAndSet(now, now | CLOSED)) {
      now = taken.get();
    }
    roomMade();
  }

  /** Whether it refuses. */
  public boolean isClosed() {
    return (taken.get() & CLOSED) != 0;
  }

  /** How many are taken; never fewer than there are. */
  public int held() {
    long back = released.get();
    return (int) ((taken.get() & ~CLOSED) - back);
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
        long step = SECOND_LOOK_NANOS;
        while (left > 0 && !isClosed() && (held() >= capacity || blocked.getAsBoolean())) {
          long waits = Math.min(step, left);
          left -= waits - room.awaitNanos(waits);
          step = Long.MAX_VALUE;
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
