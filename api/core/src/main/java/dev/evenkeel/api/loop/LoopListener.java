package dev.evenkeel.api.loop;

/**
 * Sees events begin and end: for progress displays, audit and metrics. Implemented by users; called
 * on the loop thread, so it must be quick and must not block; what it throws is logged and counted,
 * and changes nothing.
 */
public interface LoopListener {
  /** An event's first turn begins; the record has no end yet. */
  default void onBegin(EventRecord record) {}

  /** An event has been answered. */
  default void onEnd(EventRecord record) {}

  /** The loop's state has changed. */
  default void onState(LoopState before, LoopState after) {}
}
