package dev.evenkeel.api.loop;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;

/**
 * Thrown by a handler: this event makes no sense any more. The remaining handlers are not called,
 * nothing is committed, what was done is reverted where the event can be, and a healing follows.
 * Recognised inside other exceptions, too.
 */
public final class AbortEventException extends EvenkeelException {
  private static final long serialVersionUID = 1L;

  /** Aborts the event. */
  public AbortEventException(String message) {
    super(ErrorKind.FAILED_PRECONDITION, message);
  }

  /** Aborts the event because of something thrown. */
  public AbortEventException(String message, Throwable cause) {
    super(kindOf(cause), message, cause);
  }
}
