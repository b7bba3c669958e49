package dev.evenkeel.controller.core;

import java.time.Duration;
import java.time.Instant;

/** The time of the turn, and what is due when. Core's thread only. */
final class Timing {
  private final TimerQueue timers = new TimerQueue();
  private final Witness witness;
  private Instant now = Instant.EPOCH;

  Timing(Witness witness) {
    this.witness = witness;
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

  TimerQueue.Timer after(Duration delay, Runnable action) {
    TimerQueue.Timer timer = timers.set(now.plus(Durations.bounded(delay)), action);
    witness.decided(new LoopDecision.TimerSet(timer.id(), timer.at()));
    return timer;
  }

  TimerQueue queue() {
    return timers;
  }
}
