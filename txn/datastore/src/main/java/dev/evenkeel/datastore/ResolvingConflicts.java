package dev.evenkeel.datastore;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.datastore.ConversionException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.SyncerOptions.UpdateProcessor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Many sources into one target: the lowest path wins (7.4). Keeps what every source gives. */
final class ResolvingConflicts<V, T> implements UpdateProcessor<V> {
  private final KeyType<V> from;
  private final Function<KeyValue<V>, Optional<KeyValue<T>>> convert;

  /** The target's path of each source, by the source's path. */
  private final Map<String, String> targets = new HashMap<>();

  /** What each source gives, by the target's path and the source's. */
  private final Map<String, NavigableMap<String, KeyValue<T>>> givers = new HashMap<>();

  ResolvingConflicts(KeyType<V> from, Function<KeyValue<V>, Optional<KeyValue<T>>> convert) {
    this.from = from;
    this.convert = convert;
  }

  @Override
  public List<KeyValue<?>> process(KeyValue<V> pair) {
    Processors.check(from, pair);
    String source = pair.key().path();
    if (pair.value().isEmpty()) {
      if (!targets.containsKey(source)) {
        throw new ConversionException(
            source, Optional.empty(), List.of(), "it is deleted, and had given nothing", null);
      }
      return remove(source);
    }
    Optional<KeyValue<T>> made;
    try {
      made = convert.apply(pair);
    } catch (RuntimeException thrown) {
      throw Processors.failed(pair.key(), remove(source), thrown);
    }
    return made.isEmpty() ? remove(source) : put(source, made.get());
  }

  private List<KeyValue<?>> put(String source, KeyValue<T> made) {
    String target = made.key().path();
    List<KeyValue<?>> told = new ArrayList<>();
    if (!target.equals(targets.getOrDefault(source, target))) {
      told.addAll(remove(source));
    }
    targets.put(source, target);
    NavigableMap<String, KeyValue<T>> all = givers.computeIfAbsent(target, t -> new TreeMap<>());
    all.put(source, made);
    if (all.firstKey().equals(source)) {
      told.add(made);
    }
    return told;
  }

  /** The source gives nothing more: the next one takes its place, if it had won. */
  private List<KeyValue<?>> remove(String source) {
    String target = targets.remove(source);
    NavigableMap<String, KeyValue<T>> all = target == null ? null : givers.get(target);
    if (target == null || all == null) {
      return List.of();
    }
    boolean won = all.firstKey().equals(source);
    KeyValue<T> gone = all.remove(source);
    if (all.isEmpty()) {
      givers.remove(target);
    }
    return won ? List.of(next(all, gone)) : List.of();
  }

  private static <T> KeyValue<T> next(
      NavigableMap<String, KeyValue<T>> all, @Nullable KeyValue<T> gone) {
    Map.Entry<String, KeyValue<T>> first = all.firstEntry();
    if (first != null) {
      return first.getValue();
    }
    if (gone == null) {
      throw new IllegalStateException("a winner that gave nothing");
    }
    return KnownPairs.gone(gone.key());
  }

  @Override
  public void onSyncerStarting() {
    targets.clear();
    givers.clear();
  }

  @Override
  public List<KeyValue<?>> unparsable(Key<V> key) {
    return remove(key.path());
  }
}
