package dev.evenkeel.txn;

import dev.evenkeel.api.txn.Results;

/**
 * A piece of work that unfolds: what comes next depends on what came out (rule 0). A plain state
 * machine without thread, clock and I/O; one caller at a time.
 *
 * @param <R> what it ends with
 */
public interface Cursor<R> {
  /**
   * Begins with {@link ActionOutcome.Start}; then takes the outcome of the action that it gave
   * last.
   */
  Next<R> next(ActionOutcome outcome);

  /** What the steps have returned so far; readable from the thread that runs the current action. */
  Results results();

  /**
   * What comes next.
   *
   * @param <R> what the cursor ends with
   */
  sealed interface Next<R> {
    /** Make this call, and come back with its outcome. */
    record Act<R>(Action action) implements Next<R> {}

    /** It has ended. */
    record End<R>(R result) implements Next<R> {}
  }
}
