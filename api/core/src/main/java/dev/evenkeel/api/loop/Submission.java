package dev.evenkeel.api.loop;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;

/**
 * An event that was accepted. Implemented by Evenkeel; any thread.
 *
 * @param <R> type of the answer
 */
public interface Submission<R> {
  /** Identifies the event. */
  EventId id();

  /**
   * Completes normally, exactly once, with whatever became of the event. Dependent stages run on a
   * thread of Evenkeel's that is not the loop's. Waiting for it on the loop thread throws {@link
   * LoopThreadBlockedException}.
   */
  CompletionStage<Outcome<R>> outcome();

  /**
   * Waits for the outcome. Giving up waiting does not call the event off.
   *
   * @throws TimeoutException when there is none within the limit: it waits or runs still; before
   *     the loop's first full resync it waits behind the gate
   * @throws LoopThreadBlockedException on the loop thread
   */
  Outcome<R> await(Duration limit) throws TimeoutException, InterruptedException;
}
