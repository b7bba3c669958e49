package dev.evenkeel.api.txn;

/** How a transaction ended. */
public enum TransactionOutcome {
  /** Everything took hold. */
  APPLIED,
  /** Some things failed, the rest took hold. */
  APPLIED_WITH_FAILURES,
  /** Everything was put back. */
  REVERTED,
  /** Putting back failed somewhere: see the failures. */
  REVERT_INCOMPLETE,
  /** It was not acceptable; nothing was done. */
  REJECTED,
  /** It was called off before it began. */
  CANCELLED,
  /** A call has not returned within its limit and still runs (JT-4). */
  UNFINISHED
}
