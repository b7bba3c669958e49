package dev.evenkeel.api.txn;

import dev.evenkeel.api.event.EventMethod;
import java.util.Optional;

/**
 * How an engine used on its own treats one transaction.
 *
 * @param method {@link EventMethod#UPDATE}, or which resync
 * @param revertOnFailure put everything back when something fails; not with a resync
 * @param retry for the values that it puts; absent means that they are not tried again
 * @param dryRun plan only: the result holds what would be done, and nothing is
 * @param description for people
 */
public record CommitOptions(
    EventMethod method,
    boolean revertOnFailure,
    Optional<RetryPolicy> retry,
    boolean dryRun,
    String description) {
  /** Refuses a resync that reverts. */
  public CommitOptions {
    if (revertOnFailure && method != EventMethod.UPDATE) {
      throw new IllegalArgumentException("a resync cannot be reverted");
    }
  }

  /** Best effort, without retry. */
  public static CommitOptions update(String description) {
    return new CommitOptions(EventMethod.UPDATE, false, Optional.empty(), false, description);
  }
}
