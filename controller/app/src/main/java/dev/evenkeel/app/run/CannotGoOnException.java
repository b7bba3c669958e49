package dev.evenkeel.app.run;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import org.jspecify.annotations.Nullable;

/** The run cannot begin or go on; the message says why and what to do. */
public final class CannotGoOnException extends EvenkeelException {
  private static final long serialVersionUID = 1L;

  /** For that reason. */
  public CannotGoOnException(String message, @Nullable Throwable cause) {
    super(cause == null ? ErrorKind.FAILED_PRECONDITION : kindOf(cause), message, cause);
  }
}
