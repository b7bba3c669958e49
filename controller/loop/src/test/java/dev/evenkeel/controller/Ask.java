package dev.evenkeel.controller;

import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.Request;

/** A request for a text. */
record Ask(String name, EventSpec spec) implements Request<String> {
  static final EventType<Ask> TYPE = EventType.of("ask", Ask.class);

  static Ask of(String name) {
    return new Ask(name, EventSpec.revertOnFailure());
  }

  @Override
  public EventType<Ask> type() {
    return TYPE;
  }

  @Override
  public Class<String> answerType() {
    return String.class;
  }

  @Override
  public String describe() {
    return name;
  }
}
