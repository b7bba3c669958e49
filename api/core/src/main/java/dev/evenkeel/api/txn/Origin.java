package dev.evenkeel.api.txn;

/** Who is responsible for a value. */
public enum Origin {
  /** The controller wants it (north-bound). */
  NORTH,
  /** The outside made it by itself (south-bound). */
  SOUTH,
  /** It was found, and nobody knows: decided by what was known before, else south-bound. */
  UNKNOWN
}
