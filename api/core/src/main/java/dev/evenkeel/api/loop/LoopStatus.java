package dev.evenkeel.api.loop;

import java.time.Duration;
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
 * @param lastProgress when the last turn ended; a loop with nothing to do makes no turns
 * @param held for how long its thread has been held by what it does just now; zero when it has
 *     nothing to do
 * @param stall the stall whose second threshold has passed; absent as soon as the thread moves
 */
public record LoopStatus(
    LoopState state,
    Optional<String> reason,
    int waiting,
    int highWater,
    int capacity,
    int running,
    Instant lastProgress,
    Duration held,
    Optional<Stall> stall) {
  /** Whether it is in sync, and moves: for a readiness probe. */
  public boolean ready() {
    return state == LoopState.RUNNING && stall.isEmpty();
  }

  /** Why it is not ready, if it is not, in words. */
  public Optional<String> notReady() {
    if (ready()) {
      return Optional.empty();
    }
    return Optional.of(
        stall
            .map(s -> "it stands still since " + s.since() + ": " + s.doing())
            .orElseGet(() -> "it is " + state + reason.map(why -> ": " + why).orElse("")));
  }

  /**
   * Whether it is worth keeping: for a liveness probe. It is when it has nothing to do, or has been
   * held no longer than the limit; not when it is aborting or closed, since only a restart helps
   * then.
   */
  public boolean alive(Duration limit) {
    return state != LoopState.ABORTING && state != LoopState.CLOSED && held.compareTo(limit) <= 0;
  }
}
