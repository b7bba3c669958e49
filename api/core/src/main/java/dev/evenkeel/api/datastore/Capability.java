package dev.evenkeel.api.datastore;

/**
 * What a store can do beyond single keys with compare-and-set. A fake store can switch each off.
 */
public enum Capability {
  /** {@link Datastore#commit} is atomic over several keys. */
  ATOMIC_BATCH,
  /** Reads at an old revision. */
  HISTORY,
  /** A watch delivers all changes in order, without a gap. */
  ORDERED_WATCH,
  /** Values that expire. */
  TTL,
  /** Writes under an old epoch are refused. */
  FENCED,
  /** What was acknowledged survives a crash of the process. */
  DURABLE
}
