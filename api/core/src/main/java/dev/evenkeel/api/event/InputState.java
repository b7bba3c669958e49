package dev.evenkeel.api.event;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.KeyedValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A snapshot of the input state: what the datastore, or an external source, says. Immutable,
 * ordered by path; any thread may read it. (Contiv's {@code KubeStateData}.)
 */
public final class InputState {
  private static final InputState EMPTY = new InputState(new TreeMap<>());

  private final SortedMap<String, KeyedValue<?>> byPath;

  private InputState(SortedMap<String, KeyedValue<?>> byPath) {
    this.byPath = Collections.unmodifiableSortedMap(byPath);
  }

  /** Nothing. */
  public static InputState empty() {
    return EMPTY;
  }

  /** A snapshot of these values; a later one of the same path wins. */
  public static InputState of(Collection<? extends KeyedValue<?>> values) {
    TreeMap<String, KeyedValue<?>> map = new TreeMap<>();
    for (KeyedValue<?> value : values) {
      map.put(value.key().path(), value);
    }
    return new InputState(map);
  }

  /** The same with one value set. Copies: meant for tests and small states. */
  public <V> InputState with(Key<V> key, V value) {
    TreeMap<String, KeyedValue<?>> map = new TreeMap<>(byPath);
    map.put(key.path(), new KeyedValue<>(key, value));
    return new InputState(map);
  }

  /** The same without one key. Copies. */
  public InputState without(Key<?> key) {
    TreeMap<String, KeyedValue<?>> map = new TreeMap<>(byPath);
    map.remove(key.path());
    return new InputState(map);
  }

  /** The value of a key. */
  public <V> Optional<V> get(Key<V> key) {
    KeyedValue<?> found = byPath.get(key.path());
    return found == null
        ? Optional.empty()
        : Optional.of(key.type().valueType().cast(found.value()));
  }

  /** All values of a kind, ordered by path. */
  public <V> List<KeyedValue<V>> all(KeyType<V> type) {
    List<KeyedValue<V>> found = new ArrayList<>();
    String from = type.prefix();
    for (KeyedValue<?> value : byPath.subMap(from, from + Character.MAX_VALUE).values()) {
      if (value.key().type().equals(type)) {
        found.add(cast(value, type));
      }
    }
    return found;
  }

  /** Everything, ordered by path; unmodifiable. */
  public Collection<KeyedValue<?>> values() {
    return byPath.values();
  }

  /** How many values. */
  public int size() {
    return byPath.size();
  }

  @SuppressWarnings("unchecked") // equal key types have keys of one class of values
  private static <V> KeyedValue<V> cast(KeyedValue<?> value, KeyType<V> type) {
    return new KeyedValue<>((Key<V>) value.key(), type.valueType().cast(value.value()));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof InputState s && s.byPath.equals(byPath);
  }

  @Override
  public int hashCode() {
    return byPath.hashCode();
  }

  @Override
  public String toString() {
    return byPath.size() + " values";
  }
}
