package dev.evenkeel.txn.mailbox;

import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.engine.PlannedRetry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Where tests look into an engine on its own, and put their calls in between. */
interface Seam {
  /** Makes a call; on the thread that makes it. */
  default Object call(Action action, StepContext context) throws Exception {
    return action.run(context);
  }

  /** How long to wait for it. */
  default Duration limit(Action action, Duration given) {
    return given;
  }

  /** What must be left alone: here nobody holds locks. */
  default boolean isFrozen(String path) {
    return false;
  }

  /** A transaction of the engine's own has ended: a retry, or a late return. */
  default void ended(Optional<PlannedRetry> retry, TransactionResult result) {}

  /** Everything before a barrier has been done. */
  default void passed() {}

  /** Nothing is left to do before that time, or at all. */
  default void idle(Optional<Instant> until) {}
}
