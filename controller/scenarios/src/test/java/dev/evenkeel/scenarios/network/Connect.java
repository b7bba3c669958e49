package dev.evenkeel.scenarios.network;

import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.Request;

/**
 * A workload asks for an interface, and is answered with its address. All or nothing.
 *
 * @param workload who asks
 */
record Connect(String workload) implements Request<String> {
  static final EventType<Connect> TYPE = EventType.of("connect", Connect.class);

  @Override
  public EventType<Connect> type() {
    return TYPE;
  }

  @Override
  public EventSpec spec() {
    return EventSpec.revertOnFailure();
  }

  @Override
  public Class<String> answerType() {
    return String.class;
  }
}
