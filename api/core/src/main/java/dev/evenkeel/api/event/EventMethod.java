package dev.evenkeel.api.event;

/** How an event is answered (event loop reference, A1). */
public enum EventMethod {
  /**
   * Rebuild everything: input state to transaction, and the engine compares with what the outside
   * really has.
   */
  FULL_RESYNC,
  /** Rebuild the desired state; the engine trusts what it believes the outside has. */
  UPSTREAM_RESYNC,
  /** No handlers: the engine compares what was last desired with what the outside really has. */
  DOWNSTREAM_RESYNC,
  /** An incremental change. */
  UPDATE
}
