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
 * @param metadata of base values that are there, each of the class that its descriptor uses;
 *     present for those of which it is known. Without them a value is retrieved before it is
 *     changed. An {@link EventCodec} does not know their classes and refuses them; recordings keep
 *     them
 */
public record Notification(
    SortedMap<Key<?>, Optional<Object>> values, SortedMap<Key<?>, Optional<Object>> metadata)
    implements UpdateEvent {
  /** Its kind. */
  public static final EventType<Notification> TYPE =
      EventType.of("notification", Notification.class);

  /** A notification that tells no metadata. */
  public Notification(SortedMap<Key<?>, Optional<Object>> values) {
    this(values, new TreeMap<>());
  }

  /** Copies; refuses an empty notification, and metadata of what is not there. */
  public Notification {
    values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    metadata = Collections.unmodifiableSortedMap(new TreeMap<>(metadata));
    for (Key<?> key : metadata.keySet()) {
      if (values.getOrDefault(key, Optional.empty()).isEmpty()) {
        throw new IllegalArgumentException("metadata of a value that is not there: " + key.path());
      }
    }
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
