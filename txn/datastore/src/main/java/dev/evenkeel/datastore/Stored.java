package dev.evenkeel.datastore;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.Revision;
import java.time.Instant;
import java.util.Optional;

/**
 * What the memory holds of one path.
 *
 * @param value an immutable value, or {@link Garbage}
 * @param modified revision of the last write
 * @param created revision of the write that made this incarnation
 * @param expires when it goes by itself
 */
record Stored(Object value, long modified, long created, Optional<Instant> expires) {
  /** Bytes that nothing can decode, for tests. */
  static final class Garbage {
    private final byte[] bytes;

    Garbage(byte[] bytes) {
      this.bytes = bytes.clone();
    }

    @Override
    public String toString() {
      return bytes.length + " bytes";
    }
  }

  /** The value if it is one of the key's kind. */
  <V> Optional<V> as(Key<V> key) {
    Class<V> type = key.type().valueType();
    return type.isInstance(value) ? Optional.of(type.cast(value)) : Optional.empty();
  }

  /** As a pair, without a value when it cannot be decoded. */
  <V> KeyValue<V> pair(Key<V> key) {
    return new KeyValue<>(
        key, as(key), new Revision(Long.toString(modified)), Optional.of(uid()), Optional.empty());
  }

  /** As a pair of any kind, if it can be decoded. */
  Optional<KeyValue<?>> known(Key<?> key) {
    return as(key).isPresent() ? Optional.of(pair(key)) : Optional.empty();
  }

  byte[] raw() {
    return value instanceof Garbage garbage ? garbage.bytes.clone() : new byte[0];
  }

  DatastoreException.ParsingEntry unparsable(String path) {
    return new DatastoreException.ParsingEntry(path, raw(), null);
  }

  String uid() {
    return "m" + created;
  }
}
