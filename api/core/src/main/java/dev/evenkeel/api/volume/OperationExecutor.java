package dev.evenkeel.api.volume;

import dev.evenkeel.api.CheckReturnValue;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.loop.Submission;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Starts volume operations: one at a time for a volume, undone at every stage when it fails,
 * resumed by repeating the request. (The Ceph-CSI proposal's OperationExecutor; operations
 * reference, section 3.) Implemented by Evenkeel over an event loop; any thread.
 *
 * <p>{@link #start} either throws, and nothing has changed, or accepts; the submission's outcome
 * tells the rest, a refused lock included. The state database is written before the outcome is
 * told, and only when the whole transaction is complete.
 */
public interface OperationExecutor {
  /**
   * Starts an operation: any of the requests of this package, or an author's own operation event.
   */
  @CheckReturnValue
  <R> Submission<R> start(Request<R> request);

  /** Whether an operation holds that id now. No side effect. */
  boolean isOperationPending(String lockId);

  /**
   * Whether an operation of that kind on that subject would not be refused because of back-off. No
   * side effect.
   */
  boolean isOperationSafeToRetry(String subject, String kind);

  /** The operations between ADMIT and END, oldest first. */
  List<Pending> pending();

  /** Waits until none is pending; false when the limit passed first. */
  boolean waitForPending(Duration limit) throws InterruptedException;

  /**
   * A running operation.
   *
   * @param stage the step that runs, when one does
   */
  record Pending(
      String kind, String subject, String transaction, Instant since, Optional<String> stage) {}
}
