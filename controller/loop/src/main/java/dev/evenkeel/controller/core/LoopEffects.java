package dev.evenkeel.controller.core;

/**
 * What the core has done by its driver. Implemented by drivers; called on the core's thread, in the
 * middle of a turn; quick, and never calls the core back.
 */
public interface LoopEffects {
  /** Do this, and feed its completion back. The core bounds how much is under way (JT-9). */
  void run(Work work);

  /** Nobody waits for this work any more; long calls look at it. */
  void cancel(long work);
}
