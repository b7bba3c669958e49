package dev.evenkeel.controller.core;

import dev.evenkeel.api.handler.StateMap;
import dev.evenkeel.api.handler.StateName;
import java.util.Collections;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The handlers' state (JT-8). Core's thread only. */
final class StateMaps {
  private final SortedMap<String, Table> tables = new TreeMap<>();

  private static final class Table {
    final Class<?> type;
    final SortedMap<String, Object> values = new TreeMap<>();

    Table(Class<?> type) {
      this.type = type;
    }
  }

  /** Who looks, and what it may do; throws when it may not. */
  interface Access {
    void mayRead();

    void mayWrite(String map, String key);

    void undoBy(Runnable undo);
  }

  <V> StateMap<V> open(StateName<V> name, Access access) {
    Table table = tables.computeIfAbsent(name.name(), n -> new Table(name.valueType()));
    if (!table.type.equals(name.valueType())) {
      throw new IllegalArgumentException(
          "the state map "
              + name.name()
              + " holds "
              + table.type.getName()
              + ", not "
              + name.valueType().getName());
    }
    return new View<>(name, table.values, access);
  }

  /** A deep, sorted copy, for recordings and tests. */
  SortedMap<String, SortedMap<String, Object>> snapshot() {
    SortedMap<String, SortedMap<String, Object>> copy = new TreeMap<>();
    tables.forEach((name, table) -> copy.put(name, new TreeMap<>(table.values)));
    return copy;
  }

  private record View<V>(StateName<V> name, SortedMap<String, Object> values, Access access)
      implements StateMap<V> {
    @Override
    public Optional<V> get(String key) {
      access.mayRead();
      return Optional.ofNullable(values.get(key)).map(name.valueType()::cast);
    }

    @Override
    public void put(String key, V value) {
      Objects.requireNonNull(value, "value");
      set(key, name.valueType().cast(value));
    }

    @Override
    public void remove(String key) {
      set(key, null);
    }

    private void set(String key, @Nullable Object value) {
      access.mayWrite(name.name(), key);
      Object before = store(key, value);
      access.undoBy(() -> store(key, before));
    }

    private @Nullable Object store(String key, @Nullable Object value) {
      return value == null ? values.remove(key) : values.put(key, value);
    }

    @Override
    public SortedMap<String, V> all() {
      access.mayRead();
      SortedMap<String, V> copy = new TreeMap<>();
      values.forEach((key, value) -> copy.put(key, name.valueType().cast(value)));
      return Collections.unmodifiableSortedMap(copy);
    }
  }
}
