package dev.evenkeel.txn.mailbox;

import dev.evenkeel.api.Experimental;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Time of an engine used on its own, and the only way in which its threads sleep by it: so a clock
 * that is turned by hand drives the same engine. Implemented by Evenkeel, and by tests; any thread.
 */
@Experimental("new")
public interface EngineClock {
  /** The time. Never goes back. */
  Instant now();

  /**
   * Parks the calling thread until it is woken or the time has come; may return early. An interrupt
   * ends the sleep, too, and stays set. A wake before the sleep ends it at once.
   *
   * @param until when to wake at the latest; absent means when woken
   */
  void park(Optional<Instant> until);

  /** Wakes a thread that sleeps here, or keeps it from going to sleep once. */
  default void wake(Thread sleeper) {
    LockSupport.unpark(sleeper);
  }

  /** The time of the machine at the moment of this call, carried on by its monotonic clock. */
  static EngineClock system() {
    return new MachineClock(Clock.systemUTC().instant(), System.nanoTime());
  }

  /**
   * The machine's time.
   *
   * @param base when it was made
   * @param baseNanos the same moment on the monotonic clock
   */
  record MachineClock(Instant base, long baseNanos) implements EngineClock {
    private static final Duration LONGEST = Duration.ofDays(1);

    @Override
    public Instant now() {
      return base.plusNanos(System.nanoTime() - baseNanos);
    }

    @Override
    public void park(Optional<Instant> until) {
      Duration left = until.map(at -> Duration.between(now(), at)).orElse(LONGEST);
      if (!left.isNegative() && !left.isZero()) {
        LockSupport.parkNanos(this, (left.compareTo(LONGEST) > 0 ? LONGEST : left).toNanos());
      }
    }
  }
}
