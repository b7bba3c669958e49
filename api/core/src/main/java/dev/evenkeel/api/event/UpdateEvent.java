package dev.evenkeel.api.event;

import dev.evenkeel.api.Secrets;

/**
 * An event that is answered by an incremental change. Implemented by users as immutable records.
 */
public non-sealed interface UpdateEvent extends Event {
  /**
   * How it is to be treated. Asked once, when the event is pushed; a null or an exception makes the
   * event invalid: it is answered refused.
   */
  EventSpec spec();

  /** Secrets that the steps of this event may read. Never recorded, stored or shown. */
  default Secrets secrets() {
    return Secrets.NONE;
  }

  @Override
  default EventMethod method() {
    return EventMethod.UPDATE;
  }
}
