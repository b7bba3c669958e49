package dev.evenkeel.controller.source;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.Failure;

/**
 * Is told how a source fares: for a health page, an alarm, a test. Implemented by users; called on
 * the source's thread, so it should be quick; what it throws is logged and changes nothing.
 */
@Experimental
public interface SourceListener {
  /** Something went wrong; the source goes on. The failure names the source as its owner. */
  default void onProblem(Failure failure) {}

  /** A datastore source has entered another phase. */
  default void onPhase(SourceStatus status) {}
}
