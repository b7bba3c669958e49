package dev.evenkeel.api.txn;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.Secret;
import dev.evenkeel.api.SecretReader;
import java.time.Instant;

/**
 * What a step or a descriptor's callback is given. Implemented by Evenkeel; valid during that call
 * and on that thread only.
 */
public interface StepContext extends Results, SecretReader {
  /**
   * A secret of the event that this runs for.
   *
   * @throws dev.evenkeel.api.EvenkeelException of kind {@code INVALID} when the event has none of
   *     that name
   */
  Secret secret(String name);

  /**
   * When the waiting for this call ends. The call should give up by then; if it does not, it keeps
   * its locks (JT-4).
   */
  Instant deadline();

  /** Whether nobody waits for this call any more. Long calls look now and then. */
  boolean cancelled();

  /** The epoch to fence with, or {@link Epoch#NONE}. */
  Epoch epoch();

  /** Identifies the transaction; the same again when an interrupted operation goes on. */
  String transaction();
}
