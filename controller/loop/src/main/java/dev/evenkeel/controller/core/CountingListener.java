package dev.evenkeel.controller.core;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.loop.LoopListener;
import java.time.Instant;

/**
 * A listener for which no records have to be made: a few numbers will do. Under the rules of {@link
 * LoopListener}, whose {@code onBegin} and {@code onEnd} are not called.
 */
@Experimental("made for counting")
public interface CountingListener extends LoopListener {
  /**
   * An event's first turn begins.
   *
   * @param pushed when it was accepted, or made by the loop
   * @param followsUp whether it is a follow-up
   */
  void began(Instant pushed, Instant start, boolean followsUp);

  /** An event has been answered. */
  void ended(EndedEvent event);
}
