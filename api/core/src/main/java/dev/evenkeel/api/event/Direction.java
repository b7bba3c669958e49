package dev.evenkeel.api.event;

/** In which order the handlers see an update event. Resyncs always go forward. */
public enum Direction {
  /** In list order: everything that a handler depends on has already reacted. */
  FORWARD,
  /** In reverse order: everything that a handler depends on is still as it was before the event. */
  REVERSE
}
