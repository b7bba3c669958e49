package dev.evenkeel.api.loop;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;

/**
 * Thrown by a handler: the controller cannot go on. The loop ends in {@link LoopState#ABORTING}:
 * nothing is committed, all events are answered as dropped, and the process is expected to be
 * restarted. Recognised inside other exceptions, too.
 */
public final class FatalLoopException extends EvenkeelException {
  private static final long serialVersionUID = 1L;

  /** Stops the loop. */
  public FatalLoopException(String message) {
    super(ErrorKind.INTERNAL, message);
  }

  /** Stops the loop because of something thrown. */
  public FatalLoopException(String message, Throwable cause) {
    super(ErrorKind.INTERNAL, message, cause);
  }
}
