package dev.evenkeel.controller;

import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.event.Request;
import java.time.Duration;

/**
 * An operation on an item.
 *
 * @param kind {@code make}, {@code change} or {@code remove}
 * @param seconds of its deadline; 0 for none
 */
public record DoItem(String kind, String item, String parameters, int seconds)
    implements Request<String> {
  static final EventType<DoItem> TYPE = EventType.of("do-item", DoItem.class);

  static DoItem make(String item) {
    return new DoItem("make", item, "p", 0);
  }

  @Override
  public EventType<DoItem> type() {
    return TYPE;
  }

  @Override
  public Class<String> answerType() {
    return String.class;
  }

  String subject() {
    return "item/" + item;
  }

  @Override
  public EventSpec spec() {
    LockKey lock = LockKey.of(subject(), LockMode.EXCLUSIVE);
    Lane.Operation lane =
        switch (kind) {
          case "make" -> Lane.Operation.making(kind, subject(), parameters, lock);
          case "remove" -> Lane.Operation.removing(kind, subject(), lock);
          default -> Lane.Operation.changing(kind, subject(), parameters, lock);
        };
    EventSpec spec = EventSpec.revertOnFailure().operation(lane);
    return seconds == 0 ? spec : spec.deadline(Duration.ofSeconds(seconds));
  }
}
