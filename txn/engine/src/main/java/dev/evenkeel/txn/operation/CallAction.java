package dev.evenkeel.txn.operation;

import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.txn.Action;
import java.time.Duration;
import java.util.Optional;

/**
 * An action of a script or of loading: always for a worker.
 *
 * @param stage for people, such as {@code apply image}
 */
record CallAction(
    Kind kind, String target, String owner, String stage, Optional<Duration> limit, Body body)
    implements Action {
  /** Owner of what no handler wants. */
  static final String JOURNAL = "journal";

  /** What it does. */
  @FunctionalInterface
  interface Body {
    /** Never returns null. */
    Object run(StepContext context) throws Exception;
  }

  @Override
  public boolean inline() {
    return false;
  }

  @Override
  public Object run(StepContext context) throws Exception {
    return body.run(context);
  }
}
