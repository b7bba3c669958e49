package dev.evenkeel.api.event;

/** What becomes of an update event's changes when something fails. */
public enum TransactionType {
  /** Go on, get as close as possible to what is wanted, and heal by a full resync afterwards. */
  BEST_EFFORT,
  /** The same without the healing. */
  BEST_EFFORT_IGNORE_ERRORS,
  /** Stop at the first error and put everything back. */
  REVERT_ON_FAILURE
}
