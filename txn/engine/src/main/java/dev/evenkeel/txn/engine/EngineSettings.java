package dev.evenkeel.txn.engine;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.txn.history.HistoryOptions;

/**
 * What an engine is told when it is made.
 *
 * @param nonRetriable after what nothing is tried again
 * @param budget how much is tried again at most
 * @param history what is kept of past transactions
 */
@Experimental("new")
public record EngineSettings(
    NonRetriable nonRetriable, RetryBudget budget, HistoryOptions history) {
  /** The defaults, with a list of its own, and without a history. */
  public static EngineSettings defaults() {
    return new EngineSettings(new NonRetriable(), RetryBudget.DEFAULT, HistoryOptions.off());
  }

  /** The same with another history. */
  public EngineSettings with(HistoryOptions other) {
    return new EngineSettings(nonRetriable, budget, other);
  }
}
