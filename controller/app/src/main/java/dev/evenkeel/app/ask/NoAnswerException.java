package dev.evenkeel.app.ask;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import org.jspecify.annotations.Nullable;

/** The controller did not answer, or not what was asked. */
public final class NoAnswerException extends EvenkeelException {
  private static final long serialVersionUID = 1L;

  private final int status;

  NoAnswerException(int status, String message, @Nullable Throwable cause) {
    super(status == 0 ? ErrorKind.UNAVAILABLE : ErrorKind.INVALID, message, cause);
    this.status = status;
  }

  /** The status of the answer; 0 when there was none. */
  public int status() {
    return status;
  }
}
