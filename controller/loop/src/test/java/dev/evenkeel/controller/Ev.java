package dev.evenkeel.controller;

import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.UpdateEvent;

/** A plain update. */
record Ev(String name, EventSpec spec) implements UpdateEvent {
  static final EventType<Ev> TYPE = EventType.of("ev", Ev.class);

  static Ev of(String name) {
    return new Ev(name, EventSpec.bestEffort());
  }

  static Ev reverting(String name) {
    return new Ev(name, EventSpec.revertOnFailure());
  }

  @Override
  public EventType<Ev> type() {
    return TYPE;
  }

  @Override
  public String describe() {
    return name;
  }
}
