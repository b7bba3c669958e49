package dev.evenkeel.controller.core;

import java.time.Instant;
import java.util.SortedMap;
import java.util.function.Supplier;

/**
 * Sees every input of a core before it is processed, and every decision after it was made: for
 * recorders, replays and tests. Called on the core's thread. What it throws stops the loop: an
 * event whose input could not be recorded has no effect (JT-10). It is not called again then.
 */
public interface LoopObserver {
  /** Sees nothing. */
  LoopObserver NONE = new LoopObserver() {};

  /** The core was built, and has not started. */
  default void onBuilt(LoopParts parts) {}

  /**
   * How the handlers' state can be asked for, by map and key (JT-8); before the first input. It may
   * be asked in {@link #onInput} alone.
   */
  default void onStates(Supplier<SortedMap<String, SortedMap<String, Object>>> snapshot) {}

  /**
   * A turn begins.
   *
   * @param turn its number, from 1
   * @param now its time
   */
  default void onInput(long turn, Instant now, LoopInput input) {}

  /** Something was decided in this turn. */
  default void onDecision(long turn, LoopDecision decision) {}
}
