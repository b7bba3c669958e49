package dev.evenkeel.api.txn;

/** What is special about an executed operation. */
public enum OperationFlag {
  /** Nothing was called. */
  NOOP,
  /** Of a derived value. */
  DERIVED,
  /** Of a derived value without a descriptor. */
  PROPERTY,
  /** Puts back. */
  REVERT,
  /** Tries again. */
  RETRY,
  /** Part of a delete and create that replace an update. */
  RECREATE
}
