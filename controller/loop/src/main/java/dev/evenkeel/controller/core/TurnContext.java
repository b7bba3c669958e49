package dev.evenkeel.controller.core;

import dev.evenkeel.api.event.InputState;
import java.time.Instant;

/** What a turn needs of the core. */
interface TurnContext {
  /** Whether the core is at work on this thread. */
  boolean isInTurn();

  Instant now();

  long seed();

  int resyncCount();

  boolean startup();

  InputState input();

  StateMaps states();

  LoopConfig config();

  int followUpsWaiting();

  Limits limits();

  int scheduledWaiting();

  int version(EventRun run, String handler, String name, int lowest, int highest);
}
