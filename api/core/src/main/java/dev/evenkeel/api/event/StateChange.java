package dev.evenkeel.api.event;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import java.util.Optional;

/**
 * One value of the input state has changed. Best effort; forward, or reverse when the value is
 * gone. The input cache takes it before any handler runs and never gives it back.
 *
 * @param key path of the value
 * @param kind its key type
 * @param previous the value before, when known
 * @param current the value now; absent when deleted
 */
public record StateChange(
    String key, KeyType<?> kind, Optional<Object> previous, Optional<Object> current)
    implements UpdateEvent {
  /** Its kind. */
  public static final EventType<StateChange> TYPE = EventType.of("state-change", StateChange.class);

  /** Refuses a change from nothing to nothing (datastore watcher rule DW-9). */
  public StateChange {
    if (previous.isEmpty() && current.isEmpty()) {
      throw new IllegalArgumentException(
          "a state change needs a previous or a current value: " + key);
    }
  }

  /** A value has come or changed. */
  public static <V> StateChange put(Key<V> key, Optional<V> previous, V current) {
    return new StateChange(key.path(), key.type(), previous.map(v -> v), Optional.of(current));
  }

  /** A value has gone. */
  public static <V> StateChange delete(Key<V> key, V previous) {
    return new StateChange(key.path(), key.type(), Optional.of(previous), Optional.empty());
  }

  /** Whether it concerns a key of that kind. */
  public boolean isOf(KeyType<?> type) {
    return kind.equals(type);
  }

  /** The value now, as a value of the given kind; empty when deleted or of another kind. */
  public <V> Optional<V> currentAs(KeyType<V> type) {
    return isOf(type) ? current.map(type.valueType()::cast) : Optional.empty();
  }

  /** The value before, as a value of the given kind. */
  public <V> Optional<V> previousAs(KeyType<V> type) {
    return isOf(type) ? previous.map(type.valueType()::cast) : Optional.empty();
  }

  @Override
  public EventType<StateChange> type() {
    return TYPE;
  }

  @Override
  public EventSpec spec() {
    return current.isPresent() ? EventSpec.bestEffort() : EventSpec.bestEffort().reverse();
  }

  @Override
  public String describe() {
    return (current.isEmpty() ? "deleted " : previous.isEmpty() ? "new " : "changed ") + key;
  }
}
