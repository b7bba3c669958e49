package dev.evenkeel.controller.core;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/** The time of the turn, and what is due when. Core's thread only. */
final class Timing {
  private final TimerQueue timers = new TimerQueue();
  private final Witness witness;
  private final LongSupplier nanos;
  private Instant now = Instant.EPOCH;

  /** The stopwatch as it was read last in this turn. */
  private long read = EventRun.NEVER;

  Timing(Witness witness, LongSupplier nanos) {
    this.witness = witness;
    this.nanos = nanos;
  }

  /** A turn begins; time never goes back. */
  @SuppressWarnings("ReferenceEquality") // the same object need not be stored again
  void turnTo(Instant time) {
    if (time != now && time.isAfter(now)) {
      now = time;
    }
  }

  Instant now() {
    return now;
  }

  /** The stopwatch at the beginning of the turn, if its driver has read it. */
  void read(long before) {
    read = before;
  }

  /** The stopwatch, as it was read last in this turn; what decides nothing goes by it. */
  long lastRead() {
    return read == EventRun.NEVER ? read() : read;
  }

  /** The stopwatch now. */
  long read() {
    read = nanos.getAsLong();
    return read;
  }

  TimerQueue.Timer after(Duration delay, Runnable action) {
    TimerQueue.Timer timer = timers.set(now.plus(Durations.bounded(delay)), action);
    witness.decided(new LoopDecision.TimerSet(timer.id(), timer.at()));
    return timer;
  }

  TimerQueue queue() {
    return timers;
  }
}
