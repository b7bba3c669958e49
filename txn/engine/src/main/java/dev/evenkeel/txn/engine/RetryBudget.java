package dev.evenkeel.txn.engine;

import dev.evenkeel.api.Experimental;
import java.time.Duration;
import java.time.Instant;

/**
 * How many base values an engine tries again at most, whatever their policies say (TW-22): so many
 * failures at once do not become a storm of calls. What is beyond it waits longer.
 *
 * @param perSecond on average
 * @param burst at once
 */
@Experimental("new")
public record RetryBudget(int perSecond, int burst) {
  /** 1,000 a second, 10,000 at once. */
  public static final RetryBudget DEFAULT = new RetryBudget(1_000, 10_000);

  private static final long SECOND = 1_000_000_000L;

  /** Refuses a budget that allows none. */
  public RetryBudget {
    if (perSecond < 1 || burst < 1) {
      throw new IllegalArgumentException("a retry budget allows at least one");
    }
  }

  /** How much of the budget's time so many values take. */
  Duration cost(int values) {
    return Duration.ofNanos(values * (SECOND / perSecond));
  }

  /** The earliest time at which something may begin after which the budget is spent till then. */
  Instant earliest(Instant spentUntil) {
    return spentUntil.minus(cost(burst));
  }
}
