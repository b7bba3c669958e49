package dev.evenkeel.api.txn;

/** Which side of a value to look at. */
public enum ValueView {
  /** What is wanted (north-bound). */
  DESIRED,
  /** What the engine believes is applied (cached). */
  APPLIED,
  /** What is really there, read now (south-bound). */
  OBSERVED
}
