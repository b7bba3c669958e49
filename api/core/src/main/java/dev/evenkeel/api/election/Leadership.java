package dev.evenkeel.api.election;

import dev.evenkeel.api.Epoch;
import java.util.concurrent.CompletionStage;

/** A term of leadership that this process has won. Implemented by Evenkeel; any thread. */
public interface Leadership {
  /** The epoch that guards every write of this term. */
  Epoch epoch();

  /**
   * Whether it still holds, judged by the local monotonic clock: false before another can have won.
   */
  boolean held();

  /** Completes when it has been lost or given up. The loop closes its gate at once. */
  CompletionStage<Void> lost();

  /** Gives it up. Idempotent. */
  CompletionStage<Void> resign();
}
