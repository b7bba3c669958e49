package dev.evenkeel.controller.core;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.loop.LoopListener;
import java.time.Instant;

/**
 * A listener for which no record has to be made when an event begins: a few numbers will do. Under
 * the rules of {@link LoopListener}, whose {@code onBegin} it should leave alone.
 */
@Experimental("made for counting")
public interface BeginListener extends LoopListener {
  /**
   * An event's first turn begins.
   *
   * @param pushed when it was accepted, or made by the loop
   * @param followsUp whether it is a follow-up
   */
  void began(long sequence, Instant pushed, Instant start, boolean followsUp);
}
