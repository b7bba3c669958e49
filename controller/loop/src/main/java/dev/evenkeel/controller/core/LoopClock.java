package dev.evenkeel.controller.core;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Time of a loop, and the only way in which its thread sleeps: so a virtual clock can drive a real
 * ring. Implemented by Evenkeel, and by tests; any thread unless a method says otherwise.
 */
public interface LoopClock {
  /** The time. Never goes back. */
  Instant now();

  /** Nanoseconds of the same time, for durations; only differences mean something. */
  long nanos();

  /**
   * The time when {@link #nanos} was read, a moment ago: who has just read it need not look again.
   */
  default Instant at(long nanos) {
    return now();
  }

  /**
   * Parks the calling thread until it is woken or the time has come; may return early. An interrupt
   * ends the sleep, too, and stays set.
   *
   * @param until when to wake at the latest; absent means when woken
   */
  void park(Optional<Instant> until);

  /** Wakes a thread that sleeps here, or keeps it from going to sleep once. */
  void wake(Thread sleeper);

  /** The time of the machine at the moment of this call, carried on by its monotonic clock. */
  static LoopClock system() {
    return new SystemLoopClock(Clock.systemUTC().instant(), System.nanoTime());
  }

  /**
   * The machine's time, in steps of 10 µs, so that a busy loop and its pushers need not make an
   * object for each look. Every thread gets the same for the same moment: it never goes back.
   */
  final class SystemLoopClock implements LoopClock {
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final long STEP = 10_000;

    private final Instant base;
    private final long baseNanos;

    /** The last step; whichever thread made it, it only saves making it again. */
    private Step last;

    /** A step, and the time in it. */
    private record Step(long number, Instant time) {}

    SystemLoopClock(Instant base, long baseNanos) {
      this.base = base;
      this.baseNanos = baseNanos;
      this.last = new Step(0, base);
    }

    @Override
    public Instant now() {
      return at(System.nanoTime());
    }

    @Override
    public Instant at(long nanos) {
      long number = Math.floorDiv(nanos - baseNanos, STEP);
      Step known = last;
      if (known.number() != number) {
        known = new Step(number, base.plusNanos(number * STEP));
        last = known;
      }
      return known.time();
    }

    @Override
    public long nanos() {
      return System.nanoTime();
    }

    @Override
    public void park(Optional<Instant> until) {
      if (until.isEmpty()) {
        LockSupport.park(this);
        return;
      }
      Duration left = Duration.between(now(), until.get());
      if (!left.isNegative() && !left.isZero()) {
        Duration bounded = left.compareTo(LONGEST) > 0 ? LONGEST : left;
        LockSupport.parkNanos(this, bounded.toNanos());
      }
    }

    @Override
    public void wake(Thread sleeper) {
      LockSupport.unpark(sleeper);
    }
  }
}
