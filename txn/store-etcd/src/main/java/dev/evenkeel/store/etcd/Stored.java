package dev.evenkeel.store.etcd;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.Codecs;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.Revision;
import io.etcd.jetcd.api.KeyValue;
import java.time.Duration;
import java.util.Optional;

/** Pairs as etcd has them, in the datastore's form. Pure. */
final class Stored {
  private Stored() {}

  /** As a pair; throws when the value cannot be decoded. */
  static <V> dev.evenkeel.api.datastore.KeyValue<V> pair(
      Key<V> key, KeyValue found, Codecs codecs) {
    byte[] bytes = found.getValue().toByteArray();
    return pair(key, found, Optional.of(codecs.fromBytes(key.type(), key.path(), bytes)));
  }

  /** As a pair, or empty when the value cannot be decoded. */
  static <V> Optional<dev.evenkeel.api.datastore.KeyValue<V>> tryPair(
      Key<V> key, KeyValue found, Codecs codecs) {
    try {
      return Optional.of(pair(key, found, codecs));
    } catch (DatastoreException undecodable) {
      return Optional.empty();
    }
  }

  /** With a value that is known already, or with none. */
  static <V> dev.evenkeel.api.datastore.KeyValue<V> pair(
      Key<V> key, KeyValue found, Optional<V> value) {
    return pair(key, value, found.getModRevision(), found.getCreateRevision(), Optional.empty());
  }

  static <V> dev.evenkeel.api.datastore.KeyValue<V> pair(
      Key<V> key, Optional<V> value, long modified, long created, Optional<Duration> ttl) {
    return new dev.evenkeel.api.datastore.KeyValue<>(
        key, value, revision(modified), Optional.of("e" + created), ttl);
  }

  static Revision revision(long number) {
    return new Revision(Long.toString(number));
  }
}
