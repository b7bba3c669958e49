package dev.evenkeel.txn.engine;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.txn.history.HistoryOptions;

/**
 * What an engine is told when it is made.
 *
 * @param nonRetriable after what nothing is tried again
 * @param budget how much is tried again at most
 * @param history what is kept of past transactions
 * @param verify whether each transaction ends with a look at what it has touched (rule 62); what is
 *     wrong is a failure of its result, and the values stay as they are
 */
@Experimental("new")
public record EngineSettings(
    NonRetriable nonRetriable, RetryBudget budget, HistoryOptions history, boolean verify) {
  /** Without verification. */
  public EngineSettings(NonRetriable nonRetriable, RetryBudget budget, HistoryOptions history) {
    this(nonRetriable, budget, history, false);
  }

  /** The defaults, with a list of its own, and without a history. */
  public static EngineSettings defaults() {
    return new EngineSettings(new NonRetriable(), RetryBudget.DEFAULT, HistoryOptions.off());
  }

  /** The same with another history. */
  public EngineSettings with(HistoryOptions other) {
    return new EngineSettings(nonRetriable, budget, other, verify);
  }

  /** The same, with verification. */
  public EngineSettings verifying() {
    return new EngineSettings(nonRetriable, budget, history, true);
  }
}
