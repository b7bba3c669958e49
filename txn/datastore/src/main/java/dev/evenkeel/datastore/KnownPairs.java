package dev.evenkeel.datastore;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Update;
import dev.evenkeel.api.datastore.UpdateType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a consumer knows of one kind: turns what is into what is new, changed or gone for it
 * (datastore reference, 5.5, 6.1 and 6.4). One thread.
 */
final class KnownPairs {
  /** Whether one source key may give several pairs, and other ones: then that is kept, too. */
  private final boolean processed;

  private final Map<String, Known> known = new TreeMap<>();
  private final Map<String, TreeSet<String>> bySource = new HashMap<>();

  /** A pair that the consumer has; the value only where one revision may give another value. */
  private record Known(
      Key<?> key, Revision revision, Optional<Object> value, String source, boolean confirmed) {}

  KnownPairs(boolean processed) {
    this.processed = processed;
  }

  /** Takes what a source key has given; pairs without a value are deletes. */
  List<Update> feed(String source, List<? extends KeyValue<?>> pairs) {
    List<Update> updates = new ArrayList<>(pairs.size());
    for (KeyValue<?> pair : pairs) {
      (pair.value().isPresent() ? put(source, pair) : remove(pair.key().path()))
          .ifPresent(updates::add);
    }
    return updates;
  }

  /** The same, and what the source key had given besides goes. */
  List<Update> feedOnly(String source, List<? extends KeyValue<?>> pairs) {
    TreeSet<String> left = new TreeSet<>(givenBy(source));
    List<Update> updates = feed(source, pairs);
    pairs.forEach(pair -> left.remove(pair.key().path()));
    left.forEach(path -> remove(path).ifPresent(updates::add));
    return updates;
  }

  /** What a source key has given goes, as its new value gives nothing. */
  List<Update> dropSource(String source) {
    List<Update> updates = new ArrayList<>();
    for (String path : List.copyOf(givenBy(source))) {
      remove(path).ifPresent(updates::add);
    }
    return updates;
  }

  private Set<String> givenBy(String source) {
    return processed ? bySource.getOrDefault(source, new TreeSet<>()) : Set.of(source);
  }

  /** What a source key has given stays as it is. */
  void confirmSource(String source) {
    for (String path : givenBy(source)) {
      known.computeIfPresent(path, (p, old) -> confirmed(old));
    }
  }

  /** A full resync begins: nothing is confirmed. */
  void unconfirm() {
    known.replaceAll((path, old) -> new Known(old.key, old.revision, old.value, old.source, false));
  }

  /** What has not been confirmed since, by path. */
  List<Key<?>> unconfirmed() {
    List<Key<?>> keys = new ArrayList<>();
    known.values().stream().filter(k -> !k.confirmed).forEach(k -> keys.add(k.key));
    return keys;
  }

  /** These keys go. */
  List<Update> drop(List<? extends Key<?>> keys) {
    List<Update> updates = new ArrayList<>();
    keys.forEach(key -> remove(key.path()).ifPresent(updates::add));
    return updates;
  }

  /** Everything goes. */
  List<Update> dropAll() {
    List<Key<?>> all = new ArrayList<>();
    known.values().forEach(k -> all.add(k.key));
    return drop(all);
  }

  private Optional<Update> put(String source, KeyValue<?> pair) {
    String path = pair.key().path();
    Optional<Object> value = processed ? pair.value().map(v -> (Object) v) : Optional.empty();
    Known old = known.get(path);
    if (old != null && !old.source.equals(source)) {
      disown(old);
    }
    known.put(path, new Known(pair.key(), pair.revision(), value, source, true));
    if (processed) {
      bySource.computeIfAbsent(source, s -> new TreeSet<>()).add(path);
    }
    if (old == null) {
      return Optional.of(new Update(pair, UpdateType.NEW));
    }
    boolean same = old.revision.equals(pair.revision()) && old.value.equals(value);
    return same ? Optional.empty() : Optional.of(new Update(pair, UpdateType.UPDATED));
  }

  private Optional<Update> remove(String path) {
    Known old = known.remove(path);
    if (old == null) {
      return Optional.empty();
    }
    disown(old);
    return Optional.of(new Update(gone(old.key), UpdateType.DELETED));
  }

  private void disown(Known old) {
    bySource.computeIfPresent(
        old.source,
        (source, paths) -> {
          paths.remove(old.key.path());
          return paths.isEmpty() ? null : paths;
        });
  }

  private static Known confirmed(Known old) {
    return new Known(old.key, old.revision, old.value, old.source, true);
  }

  /** A deleted pair: nothing but its key. */
  static <V> KeyValue<V> gone(Key<V> key) {
    return new KeyValue<>(key, Optional.empty(), Revision.NONE, Optional.empty(), Optional.empty());
  }
}
