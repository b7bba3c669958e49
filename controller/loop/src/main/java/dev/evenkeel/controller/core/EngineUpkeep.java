package dev.evenkeel.controller.core;

import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.ActionOutcome;
import java.util.Optional;

/**
 * The engine has something of its own to do: a call that nobody waits for any more has returned
 * (JT-4), or paths that were frozen are free again (JT-7). No handler sees it.
 *
 * @param returned the call and what came of it; absent for paths that are free again
 */
record EngineUpkeep(Optional<Returned> returned) implements UpdateEvent {
  static final EventType<EngineUpkeep> TYPE = EventType.of("engine-upkeep", EngineUpkeep.class);

  /** A late return. */
  record Returned(Action action, ActionOutcome outcome) {}

  static boolean isReturn(EventRun run) {
    return run.event() instanceof EngineUpkeep upkeep && upkeep.returned().isPresent();
  }

  @Override
  public EventType<EngineUpkeep> type() {
    return TYPE;
  }

  @Override
  public EventSpec spec() {
    return EventSpec.bestEffort();
  }

  @Override
  public String describe() {
    return returned
        .map(r -> r.action().kind() + " of " + r.action().target() + " has returned")
        .orElse("values that were under a lock are compared");
  }
}
