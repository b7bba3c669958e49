package dev.evenkeel.api;

import java.util.Objects;

/**
 * A key with a value.
 *
 * @param <V> type of the value
 */
public record KeyedValue<V>(Key<V> key, V value) {
  /** Refuses nulls. */
  public KeyedValue {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
  }
}
