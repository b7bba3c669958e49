package dev.evenkeel.api.loop;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;

/** The loop is closed, closing or aborting: nothing was queued. */
public final class LoopClosedException extends EvenkeelException {
  private static final long serialVersionUID = 1L;

  /** Refused in that state. */
  public LoopClosedException(String loop, LoopState state) {
    super(ErrorKind.UNAVAILABLE, "loop " + loop + " takes no events: it is " + state);
  }
}
