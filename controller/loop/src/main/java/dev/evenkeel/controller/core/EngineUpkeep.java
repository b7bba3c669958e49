package dev.evenkeel.controller.core;

import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.ActionOutcome;
import java.util.Optional;

/**
 * The engine has something of its own to do: a call that nobody waits for any more has returned
 * (JT-4), paths that were frozen are free again (JT-7), or a retry is due (JT-12). No handler sees
 * it.
 *
 * @param returned the call and what came of it; absent for the others
 * @param retry whether a retry is due
 */
record EngineUpkeep(Optional<Returned> returned, boolean retry) implements UpdateEvent {
  static final EventType<EngineUpkeep> TYPE = EventType.of("engine-upkeep", EngineUpkeep.class);

  /** Paths that were frozen are free again. */
  static final EngineUpkeep THAWED = new EngineUpkeep(Optional.empty(), false);

  /** A retry is due. */
  static final EngineUpkeep RETRY = new EngineUpkeep(Optional.empty(), true);

  /** A late return. */
  record Returned(Action action, ActionOutcome outcome) {}

  static boolean isRetry(EventRun run) {
    return run.event() instanceof EngineUpkeep upkeep && upkeep.retry();
  }

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
        .orElse(
            retry
                ? "what has failed is tried again"
                : "values that were under a lock are compared");
  }
}
