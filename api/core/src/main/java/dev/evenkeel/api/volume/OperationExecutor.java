package dev.evenkeel.api.volume;

import dev.evenkeel.api.CheckReturnValue;
import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.LockKey;
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

  /** The locks that are held now, those of the oldest operation first. A snapshot. */
  @Experimental("new")
  default List<Held> locks() {
    return List.of();
  }

  /** The failed operations that are remembered, oldest first. A snapshot; none without back-off. */
  @Experimental("new")
  default List<Failed> backOff() {
    return List.of();
  }

  /**
   * A lock, and who holds it.
   *
   * @param key what is locked, and how
   * @param holder the operation
   */
  @Experimental("new")
  record Held(LockKey key, Pending holder) {}

  /**
   * A failed operation whose repeat is refused for a while.
   *
   * @param scope the node or target that narrows the subject; empty when nothing does
   * @param failed when it failed
   * @param until how long a repeat is refused
   * @param failure why
   */
  @Experimental("new")
  record Failed(
      String kind, String subject, String scope, Instant failed, Instant until, Failure failure) {}
}
