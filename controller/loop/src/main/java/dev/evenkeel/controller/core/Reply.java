package dev.evenkeel.controller.core;

import dev.evenkeel.api.loop.Outcome;

/**
 * Where the outcome of a pushed event goes. Implemented by drivers; called by the core, on its
 * thread, quick.
 */
public interface Reply {
  /** Nobody waits: follow-ups, and replays. */
  Reply NONE =
      new Reply() {
        @Override
        public void taken() {}

        @Override
        public void answer(Outcome<?> outcome) {}
      };

  /** It waits no more: its first turn begins, or it is answered without one. Exactly once. */
  void taken();

  /** Its outcome. Exactly once, after {@link #taken}. */
  void answer(Outcome<?> outcome);
}
