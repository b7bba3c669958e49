package dev.evenkeel.api.txn;

/**
 * State of a value, computed from what is desired, applied and observed (transactions reference,
 * B2).
 */
public enum ValueState {
  /** Not in the graph. */
  NONEXISTENT(false),
  /** Applied. */
  CONFIGURED(true),
  /** Made by the outside, not managed by us. */
  OBTAINED(true),
  /** Found by a refresh as ours, not yet applied in this run. */
  DISCOVERED(true),
  /** Waits for its dependencies. */
  PENDING(false),
  /** Refused by its descriptor's validation. */
  INVALID(false),
  /** Its last operation failed, and no retry is planned. */
  FAILED(false),
  /** Its last operation failed, and a retry is planned. */
  RETRYING(false),
  /** Was applied, and a refresh did not find it. */
  MISSING(false),
  /** No descriptor describes it. */
  UNIMPLEMENTED(false),
  /** Just removed, or between the delete and the create of a re-creation. */
  REMOVED(false),
  /** Its descriptor could not be asked at start: nothing is done about it until it can. */
  UNKNOWN(false);

  private final boolean available;

  ValueState(boolean available) {
    this.available = available;
  }

  /**
   * Whether dependents of a value in this state are met. A failed value whose applied form is still
   * there counts as well: the engine decides that by the value, not by its state.
   */
  public boolean available() {
    return available;
  }
}
