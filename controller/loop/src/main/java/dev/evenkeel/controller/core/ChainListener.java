package dev.evenkeel.controller.core;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.LoopListener;

/**
 * A listener that also sees which handlers were chosen for an event, before any of them is called.
 * Under the rules of {@link LoopListener}.
 */
@Experimental("it may become a method of LoopListener")
public interface ChainListener extends LoopListener {
  /**
   * The handlers have been asked and put in order: {@link EventRecord#chain}. Not called for events
   * that are refused or dropped before that; called again when an operation is planned again.
   */
  void onChain(EventRecord record);
}
