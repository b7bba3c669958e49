package dev.evenkeel.api.event;

import dev.evenkeel.api.Key;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The outside (south-bound) says that values of its own have come, changed or gone. No handler sees
 * it; the engine takes it over and adjusts what depends on them.
 *
 * @param values at least one; absent means gone
 */
public record Notification(SortedMap<Key<?>, Optional<Object>> values) implements UpdateEvent {
  /** Its kind. */
  public static final EventType<Notification> TYPE =
      EventType.of("notification", Notification.class);

  /** Copies the values and refuses an empty notification. */
  public Notification {
    values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    if (values.isEmpty()) {
      throw new IllegalArgumentException("a notification needs at least one value");
    }
  }

  @Override
  public EventType<Notification> type() {
    return TYPE;
  }

  @Override
  public EventSpec spec() {
    return EventSpec.bestEffort();
  }

  @Override
  public String describe() {
    return values.keySet().stream().map(Key::path).toList().toString();
  }
}
