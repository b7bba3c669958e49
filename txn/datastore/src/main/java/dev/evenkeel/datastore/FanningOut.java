package dev.evenkeel.datastore;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.SyncerOptions.UpdateProcessor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * One source into a pair for each field (7.5). Keeps which keys each source has given, so that what
 * it gives no more is deleted.
 */
final class FanningOut<V> implements UpdateProcessor<V> {
  private final KeyType<V> from;
  private final Function<KeyValue<V>, List<KeyValue<?>>> fields;
  private final Map<String, Map<String, Key<?>>> given = new HashMap<>();

  FanningOut(KeyType<V> from, Function<KeyValue<V>, List<KeyValue<?>>> fields) {
    this.from = from;
    this.fields = fields;
  }

  @Override
  public List<KeyValue<?>> process(KeyValue<V> pair) {
    Processors.check(from, pair);
    if (pair.value().isEmpty()) {
      return unparsable(pair.key());
    }
    List<KeyValue<?>> made;
    try {
      made = List.copyOf(fields.apply(pair));
    } catch (RuntimeException thrown) {
      throw Processors.failed(pair.key(), unparsable(pair.key()), thrown);
    }
    Map<String, Key<?>> before = given.getOrDefault(pair.key().path(), Map.of());
    Map<String, Key<?>> left = new TreeMap<>(before);
    Map<String, Key<?>> now = new TreeMap<>();
    for (KeyValue<?> field : made) {
      left.remove(field.key().path());
      if (field.value().isPresent()) {
        now.put(field.key().path(), field.key());
      }
    }
    given.put(pair.key().path(), now);
    List<KeyValue<?>> told = new ArrayList<>(made);
    left.values().forEach(key -> told.add(KnownPairs.gone(key)));
    return told;
  }

  @Override
  public void onSyncerStarting() {
    given.clear();
  }

  /** All that it has given goes. */
  @Override
  public List<KeyValue<?>> unparsable(Key<V> key) {
    Map<String, Key<?>> before = given.remove(key.path());
    List<KeyValue<?>> told = new ArrayList<>();
    if (before != null) {
      before.values().forEach(old -> told.add(KnownPairs.gone(old)));
    }
    return told;
  }
}
