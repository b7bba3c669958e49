package dev.evenkeel.controller;

import dev.evenkeel.controller.core.LoopClock;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A loop's time as the JDK's clock. */
final class WallClock extends Clock {
  private final LoopClock clock;

  WallClock(LoopClock clock) {
    this.clock = clock;
  }

  @Override
  public Instant instant() {
    return clock.now();
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
