package dev.evenkeel.csi;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.loop.EventQueueFullException;
import dev.evenkeel.api.loop.LoopClosedException;
import dev.evenkeel.api.loop.NotLeaderException;
import dev.evenkeel.api.loop.Outcome;
import io.grpc.Status;
import java.util.List;
import java.util.Objects;

/**
 * Which gRPC status says what went wrong (operations reference, section 5). What may still be going
 * on, or may have left something, never gets a code that callers take for "nothing was made".
 */
final class Refusal {
  private Refusal() {}

  static Status of(ErrorKind kind, String why) {
    Status.Code code =
        switch (kind) {
          case INVALID -> Status.Code.INVALID_ARGUMENT;
          case NOT_FOUND -> Status.Code.NOT_FOUND;
          case ALREADY_EXISTS -> Status.Code.ALREADY_EXISTS;
          case BUSY, CANCELLED -> Status.Code.ABORTED;
          case FAILED_PRECONDITION -> Status.Code.FAILED_PRECONDITION;
          case RESOURCE_EXHAUSTED -> Status.Code.RESOURCE_EXHAUSTED;
          case OUT_OF_RANGE -> Status.Code.OUT_OF_RANGE;
          case UNIMPLEMENTED -> Status.Code.UNIMPLEMENTED;
          case UNAVAILABLE -> Status.Code.UNAVAILABLE;
          case DEADLINE_EXCEEDED -> Status.Code.DEADLINE_EXCEEDED;
          case UNAUTHORIZED -> Status.Code.PERMISSION_DENIED;
          case INTERNAL -> Status.Code.INTERNAL;
        };
    return code.toStatus().withDescription(why);
  }

  /** Of an outcome that is no success. */
  static Status of(Outcome<?> outcome) {
    List<Failure> failures = outcome.failures();
    ErrorKind kind = failures.isEmpty() ? ErrorKind.INTERNAL : failures.get(0).kind();
    String why = failures.isEmpty() ? outcome.word() : failures.get(0).toString();
    boolean mayStand =
        outcome instanceof Outcome.Unfinished<?>
            || (outcome instanceof Outcome.Reverted<?> reverted && !reverted.complete());
    if (mayStand && kind != ErrorKind.DEADLINE_EXCEEDED && kind != ErrorKind.UNAVAILABLE) {
      return Status.ABORTED.withDescription(why + "; repeat the call: it goes on from there");
    }
    return of(kind, why);
  }

  /** Of what was thrown before anything was begun. */
  static Status of(Throwable thrown) {
    if (thrown instanceof EventQueueFullException
        || thrown instanceof LoopClosedException
        || thrown instanceof NotLeaderException) {
      return Status.UNAVAILABLE.withDescription(text(thrown));
    }
    if (thrown instanceof io.grpc.StatusRuntimeException known) {
      return known.getStatus();
    }
    // Only Evenkeel's own exceptions are known to hold no secret.
    String why = thrown instanceof EvenkeelException ? text(thrown) : "the driver has failed";
    return of(EvenkeelException.kindOf(thrown), why);
  }

  private static String text(Throwable thrown) {
    return Objects.requireNonNullElse(thrown.getMessage(), thrown.getClass().getSimpleName());
  }
}
