package dev.evenkeel.scenarios.network;

import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.UpdateEvent;

/**
 * A workload goes: whoever uses its interface lets go first.
 *
 * @param workload who goes
 */
record Disconnect(String workload) implements UpdateEvent {
  static final EventType<Disconnect> TYPE = EventType.of("disconnect", Disconnect.class);

  @Override
  public EventType<Disconnect> type() {
    return TYPE;
  }

  @Override
  public EventSpec spec() {
    return EventSpec.bestEffort().reverse();
  }
}
