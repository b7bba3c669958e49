package dev.evenkeel.api.loop;

/** Life of a loop. */
public enum LoopState {
  /** Runs, with the gate closed: no full resync has succeeded yet. */
  STARTING,
  /** Another controller leads. */
  STANDBY,
  /** In sync. */
  RUNNING,
  /** Runs, but something has failed and is not healed yet. */
  DEGRADED,
  /** Takes no more events, and works off those that wait. */
  DRAINING,
  /** A fatal error: drops all events until it is closed. */
  ABORTING,
  /** Ended. */
  CLOSED
}
