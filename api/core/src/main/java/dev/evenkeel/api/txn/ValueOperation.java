package dev.evenkeel.api.txn;

/** What was done, or asked, to a value. */
public enum ValueOperation {
  /** Nothing was ever asked: obtained values. */
  UNDEFINED,
  /** Make it. */
  CREATE,
  /** Change it. */
  UPDATE,
  /** Remove it. */
  DELETE
}
