package dev.evenkeel.txn.operation;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.volume.VolumeBackend;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When what an earlier leader has begun on a backend can take hold no more (JT-14): until then
 * nobody can tell what an interrupted operation of its has left, and nobody touches it. Implemented
 * by Evenkeel, and by those whose backend knows better; asked on workers, may block.
 */
@FunctionalInterface
@Experimental("new")
public interface FormerActs {
  /**
   * Until when acts of epochs before this one may still take hold; empty when none can.
   *
   * @param ours the epoch in which this process leads
   * @throws Exception when that cannot be told: the operation is not begun
   */
  Optional<Instant> until(Epoch ours) throws Exception;

  /** They are not waited for: the backend is this process's own, or acts fence themselves. */
  static FormerActs none() {
    return ours -> Optional.empty();
  }

  /**
   * They are over after a time from when this process has first led in an epoch: the lease's time
   * and the longest deadline of a step.
   */
  static FormerActs waiting(Duration time, Clock clock) {
    return new Settling(time, clock);
  }

  /** The backend ends them: it is asked once in each epoch, and then they are over. */
  static FormerActs fenced(VolumeBackend.Fencing backend) {
    return new FencedActs(backend);
  }
}
