package dev.evenkeel.api.event;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How an update event is to be treated, as data. Start from {@link #bestEffort()}, {@link
 * #ignoreErrors()} or {@link #revertOnFailure()}.
 *
 * @param transaction what becomes of its changes when something fails
 * @param direction order of the handlers
 * @param lane serial or an operation
 * @param deadline from the push on; positive; absent means none. An event that has not begun then
 *     is refused, and never runs; one that has begun is answered unfinished, while what runs goes
 *     on (JT-4)
 * @param coalesce a key: a newer pushed event of the same type and key replaces one that still
 *     waits, and takes its place in the queue, so that a key that is pushed over and over gets its
 *     turn all the same. So the newer one may come before other events that were pushed in between:
 *     do not coalesce what must not. The one that was replaced never runs and is answered with
 *     {@link dev.evenkeel.api.loop.Outcome.Superseded}. Requests, operations, RevertOnFailure
 *     events and events that the loop makes itself, such as follow-ups, are never coalesced (JT-21)
 */
public record EventSpec(
    TransactionType transaction,
    Direction direction,
    Lane lane,
    Optional<Duration> deadline,
    Optional<String> coalesce) {
  /** Refuses what cannot be meant. */
  public EventSpec {
    Objects.requireNonNull(transaction, "transaction");
    Objects.requireNonNull(direction, "direction");
    Objects.requireNonNull(lane, "lane");
    if (deadline.isPresent() && (deadline.get().isNegative() || deadline.get().isZero())) {
      throw new IllegalArgumentException("a deadline is positive: " + deadline.get());
    }
    if (coalesce.isPresent() && transaction == TransactionType.REVERT_ON_FAILURE) {
      throw new IllegalArgumentException("a RevertOnFailure event is never coalesced");
    }
  }

  private static EventSpec of(TransactionType transaction) {
    return new EventSpec(
        transaction, Direction.FORWARD, Lane.Serial.INSTANCE, Optional.empty(), Optional.empty());
  }

  /** Best effort, forward, serial, no deadline. */
  public static EventSpec bestEffort() {
    return of(TransactionType.BEST_EFFORT);
  }

  /** Best effort without healing, forward, serial, no deadline. */
  public static EventSpec ignoreErrors() {
    return of(TransactionType.BEST_EFFORT_IGNORE_ERRORS);
  }

  /** All or nothing, forward, serial, no deadline. */
  public static EventSpec revertOnFailure() {
    return of(TransactionType.REVERT_ON_FAILURE);
  }

  /** The same, shown to the handlers in reverse order. */
  public EventSpec reverse() {
    return new EventSpec(transaction, Direction.REVERSE, lane, deadline, coalesce);
  }

  /** The same, as an operation. */
  public EventSpec operation(Lane.Operation operation) {
    return new EventSpec(transaction, direction, operation, deadline, coalesce);
  }

  /** The same with a deadline. */
  public EventSpec deadline(Duration limit) {
    return new EventSpec(transaction, direction, lane, Optional.of(limit), coalesce);
  }

  /** The same, coalesced by a key. */
  public EventSpec coalesceBy(String key) {
    return new EventSpec(transaction, direction, lane, deadline, Optional.of(key));
  }
}
