package dev.evenkeel.txn.operation;

import dev.evenkeel.api.Epoch;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Former acts that are waited for. The wait begins when an epoch is asked about first, which is not
 * before it began.
 */
final class Settling implements FormerActs {
  private final Duration time;
  private final Clock clock;
  private Epoch epoch = Epoch.NONE;
  private Instant over = Instant.MIN;

  Settling(Duration time, Clock clock) {
    this.time = time;
    this.clock = clock;
  }

  @Override
  public synchronized Optional<Instant> until(Epoch ours) {
    Instant now = clock.instant();
    if (ours.compareTo(epoch) > 0) {
      epoch = ours;
      over = now.plus(time);
    }
    return now.isBefore(over) ? Optional.of(over) : Optional.empty();
  }
}
