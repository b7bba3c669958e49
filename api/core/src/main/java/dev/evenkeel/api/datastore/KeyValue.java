package dev.evenkeel.api.datastore;

import dev.evenkeel.api.Key;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * A stored pair. Immutable.
 *
 * @param key typed key
 * @param value absent when it was deleted, or could not be decoded
 * @param revision of the last write, or {@link Revision#NONE} when it is given to a write without
 *     condition
 * @param uid identity of this incarnation of the object, where the store has one
 * @param ttl for writes: how long it lives; absent for ever
 * @param <V> type of the value
 */
public record KeyValue<V>(
    Key<V> key,
    Optional<V> value,
    Revision revision,
    Optional<String> uid,
    Optional<Duration> ttl) {
  /** Refuses nulls and a life that is not positive. */
  public KeyValue {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(revision, "revision");
    if (ttl.isPresent() && (ttl.get().isZero() || ttl.get().isNegative())) {
      throw new IllegalArgumentException("a time to live is positive: " + ttl.get());
    }
  }

  /** A pair to write without condition. */
  public static <V> KeyValue<V> of(Key<V> key, V value) {
    return new KeyValue<>(
        key, Optional.of(value), Revision.NONE, Optional.empty(), Optional.empty());
  }

  /** The same with a revision. */
  public KeyValue<V> at(Revision newRevision) {
    return new KeyValue<>(key, value, newRevision, uid, ttl);
  }

  /** The same with another value. */
  public KeyValue<V> with(V newValue) {
    return new KeyValue<>(key, Optional.of(newValue), revision, uid, ttl);
  }

  /** The same with a time to live; stores round it up to their own unit. */
  public KeyValue<V> livingFor(Duration life) {
    return new KeyValue<>(key, value, revision, uid, Optional.of(life));
  }
}
