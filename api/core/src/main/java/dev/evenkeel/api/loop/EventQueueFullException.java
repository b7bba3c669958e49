package dev.evenkeel.api.loop;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;

/** As many events as the loop's capacity wait: push again later, or push with a time limit. */
public final class EventQueueFullException extends EvenkeelException {
  private static final long serialVersionUID = 1L;

  /** Refused with that many waiting. */
  public EventQueueFullException(int waiting, int capacity) {
    super(
        ErrorKind.RESOURCE_EXHAUSTED,
        "the event queue is full: "
            + waiting
            + " of "
            + capacity
            + " wait; push again later or with a time limit");
  }
}
