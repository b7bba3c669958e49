package dev.evenkeel.api.event;

import dev.evenkeel.api.Key;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * External configuration has changed: values that are merged over what the handlers put. Best
 * effort, forward. Pushed by the owner of the source after it has stored them itself.
 *
 * @param source name of the external source; sources are ordered by the priority that they were
 *     registered with
 * @param changes the new value of each key, absent to remove it
 */
public record ExternalChange(String source, SortedMap<Key<?>, Optional<Object>> changes)
    implements UpdateEvent {
  /** Its kind. */
  public static final EventType<ExternalChange> TYPE =
      EventType.of("external-change", ExternalChange.class);

  /** Copies the changes. */
  public ExternalChange {
    changes = Collections.unmodifiableSortedMap(new TreeMap<>(changes));
  }

  @Override
  public EventType<ExternalChange> type() {
    return TYPE;
  }

  @Override
  public EventSpec spec() {
    return EventSpec.bestEffort();
  }

  @Override
  public String describe() {
    return "source " + source + ": " + changes.keySet().stream().map(Key::path).toList();
  }
}
