package dev.evenkeel.api.datastore;

import dev.evenkeel.api.Epoch;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How a call is made: how long it may take, whether it has been called off, and under which epoch.
 * Any thread.
 */
public final class Call {
  private static final Duration USUAL = Duration.ofSeconds(10);

  private final Optional<Duration> limit;
  private final Epoch epoch;
  private final AtomicBoolean cancelled;

  private Call(Optional<Duration> limit, Epoch epoch, AtomicBoolean cancelled) {
    this.limit = limit;
    this.epoch = epoch;
    this.cancelled = cancelled;
  }

  /** Ten seconds, no epoch. */
  public static Call usual() {
    return within(USUAL);
  }

  /** With that limit. */
  public static Call within(Duration limit) {
    if (limit.isNegative() || limit.isZero()) {
      throw new IllegalArgumentException("a limit is positive: " + limit);
    }
    return new Call(Optional.of(limit), Epoch.NONE, new AtomicBoolean());
  }

  /**
   * The same call under an epoch: a store with {@link Capability#FENCED} refuses it when a newer
   * one is known.
   */
  public Call under(Epoch newEpoch) {
    return new Call(limit, newEpoch, cancelled);
  }

  /** How long it may take. */
  public Optional<Duration> limit() {
    return limit;
  }

  /** The epoch, or {@link Epoch#NONE}. */
  public Epoch epoch() {
    return epoch;
  }

  /**
   * Calls it off: what has not begun does not begin, a wait ends; a write under way may still
   * happen. Idempotent.
   */
  public void cancel() {
    cancelled.set(true);
  }

  /** Whether it has been called off. */
  public boolean isCancelled() {
    return cancelled.get();
  }
}
