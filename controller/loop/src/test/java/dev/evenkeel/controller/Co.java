package dev.evenkeel.controller;

import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.UpdateEvent;
import java.time.Duration;

/**
 * An update that is coalesced.
 *
 * @param key empty for none
 * @param seconds of its deadline; 0 for none
 */
public record Co(String name, String key, int seconds) implements UpdateEvent {
  static final EventType<Co> TYPE = EventType.of("co", Co.class);

  static Co of(String name, String key) {
    return new Co(name, key, 0);
  }

  @Override
  public EventType<Co> type() {
    return TYPE;
  }

  @Override
  public EventSpec spec() {
    EventSpec spec = EventSpec.bestEffort();
    if (!key.isEmpty()) {
      spec = spec.coalesceBy(key);
    }
    return seconds == 0 ? spec : spec.deadline(Duration.ofSeconds(seconds));
  }

  @Override
  public String describe() {
    return name;
  }
}
