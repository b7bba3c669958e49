package dev.evenkeel.api.txn;

/** The metadata of descriptors that have none. */
public enum NoMetadata {
  /** The one value. */
  NONE
}
