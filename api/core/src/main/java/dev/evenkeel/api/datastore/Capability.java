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
  /**
   * A watch tells the newest state of every key that changed, and each delete. States in between
   * may be left out, and there is no order over keys. It goes on from lists of the same client
   * only; from any other revision it fails, and its user lists anew.
   */
  LATEST_WATCH,
  /** Values that expire. */
  TTL,
  /** Writes under an old epoch are refused. */
  FENCED,
  /** What was acknowledged survives a crash of the process. */
  DURABLE
}
