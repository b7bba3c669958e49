package dev.evenkeel.api.txn;

import dev.evenkeel.api.Failure;
import java.time.Duration;
import java.util.Optional;

/**
 * What became of one step in one transaction. Immutable.
 *
 * @param name of the step
 * @param owner handler that added it, or the part of the framework
 * @param act what was done
 * @param failure why it failed, if it did
 * @param duration how long the callback took
 */
public record StepRecord(
    String name, String owner, Act act, Optional<Failure> failure, Duration duration) {
  /** What was done. */
  public enum Act {
    /** Found present: nothing was done. */
    ADOPTED,
    /** Applied. */
    DONE,
    /** Apply or probe failed. */
    FAILED,
    /** Taken back. */
    UNDONE,
    /** Taking back failed: everything before it was left as it is. */
    UNDO_FAILED,
    /** Its limit passed and it has not returned. */
    UNFINISHED
  }
}
