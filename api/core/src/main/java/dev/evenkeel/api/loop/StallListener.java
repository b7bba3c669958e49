package dev.evenkeel.api.loop;

import dev.evenkeel.api.Experimental;
import java.time.Duration;

/**
 * Told when a loop's thread does not move, to act on it: page somebody, dump more, or give the
 * process up, which Evenkeel itself never does. Implemented by users; called on the thread of the
 * loop's watch, which sees nothing else meanwhile, so it should not block; what it throws is logged
 * and changes nothing. Not called after the loop has ended.
 */
@Experimental("goes with Stall")
@FunctionalInterface
public interface StallListener {
  /** A threshold has passed; once for each threshold and stall. */
  void onStall(Stall stall);

  /**
   * The thread moves again.
   *
   * @param stall the last that was told
   * @param lasted how long it had stood, up to the look of the watch that saw it move
   */
  default void onOver(Stall stall, Duration lasted) {}
}
