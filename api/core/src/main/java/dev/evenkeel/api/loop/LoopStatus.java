package dev.evenkeel.api.loop;

import java.time.Instant;
import java.util.Optional;

/**
 * How a loop stands. Immutable.
 *
 * @param state where in its life it is
 * @param reason why it is degraded or aborting
 * @param waiting events in the queue and behind the gate
 * @param highWater most that ever waited
 * @param capacity most that may wait
 * @param running operations between ADMIT and END
 * @param lastProgress when the last turn ended; liveness is judged by it
 */
public record LoopStatus(
    LoopState state,
    Optional<String> reason,
    int waiting,
    int highWater,
    int capacity,
    int running,
    Instant lastProgress) {
  /** Whether it is in sync. */
  public boolean ready() {
    return state == LoopState.RUNNING;
  }
}
