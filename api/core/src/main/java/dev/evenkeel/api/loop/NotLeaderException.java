package dev.evenkeel.api.loop;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;

/** Another controller leads: push there, or wait. */
public final class NotLeaderException extends EvenkeelException {
  private static final long serialVersionUID = 1L;

  /** Refused; the epoch is the newest one that this controller knows. */
  public NotLeaderException(String loop, Epoch known) {
    super(
        ErrorKind.UNAVAILABLE,
        "loop " + loop + " is not the leader (newest known epoch " + known.number() + ")");
  }
}
