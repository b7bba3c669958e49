package dev.evenkeel.api.handler;

import java.util.Optional;
import java.util.SortedMap;

/**
 * A handler's state, kept by the loop (JT-8): what an event changes in it is put back, key by key,
 * when the event is reverted, recordings snapshot it, and any other thread than the loop's gets an
 * {@link IllegalStateException}. Implemented by Evenkeel.
 *
 * @param <V> type of the values; immutable
 */
public interface StateMap<V> {
  /** The value of a key. */
  Optional<V> get(String key);

  /** Sets a value. An operation may only set keys that are ids under its locks. */
  void put(String key, V value);

  /** Removes a value. */
  void remove(String key);

  /** A sorted, unmodifiable copy. */
  SortedMap<String, V> all();
}
