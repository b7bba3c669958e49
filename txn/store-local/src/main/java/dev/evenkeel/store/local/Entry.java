package dev.evenkeel.store.local;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.Codecs;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.Revision;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What is stored under one path: the revisions of its last write and of the write that made this
 * incarnation, and the encoded value. Immutable; its bytes are never given out uncopied.
 */
final class Entry {
  private static final byte FORM = 1;
  private static final int HEAD = 1 + 2 * Long.BYTES;

  final long modified;
  final long created;
  private final byte[] value;
  private final boolean odd;

  Entry(byte[] value, long modified, long created) {
    this(value, modified, created, false);
  }

  private Entry(byte[] value, long modified, long created, boolean odd) {
    this.value = value;
    this.modified = modified;
    this.created = created;
    this.odd = odd;
  }

  /** With a head that this build does not know it is an entry that cannot be decoded. */
  static Entry of(byte[] stored) {
    if (stored.length < HEAD || stored[0] != FORM) {
      return new Entry(stored, 0, 0, true);
    }
    ByteBuffer buffer = ByteBuffer.wrap(stored);
    buffer.get();
    long modified = buffer.getLong();
    long created = buffer.getLong();
    byte[] value = new byte[stored.length - HEAD];
    buffer.get(value);
    return new Entry(value, modified, created);
  }

  byte[] stored() {
    return ByteBuffer.allocate(HEAD + value.length)
        .put(FORM)
        .putLong(modified)
        .putLong(created)
        .put(value)
        .array();
  }

  byte[] raw() {
    return value.clone();
  }

  int size() {
    return HEAD + value.length;
  }

  String uid() {
    return "l" + created;
  }

  /** As a pair; throws when the value cannot be decoded. */
  <V> KeyValue<V> pair(Key<V> key, Codecs codecs) {
    if (odd) {
      throw new DatastoreException.ParsingEntry(key.path(), value, null);
    }
    return pair(key, Optional.of(codecs.fromBytes(key.type(), key.path(), value)));
  }

  /** As a pair, or empty when the value cannot be decoded. */
  <V> Optional<KeyValue<V>> tryPair(Key<V> key, Codecs codecs) {
    try {
      return Optional.of(pair(key, codecs));
    } catch (DatastoreException undecodable) {
      return Optional.empty();
    }
  }

  <V> KeyValue<V> pair(Key<V> key, Optional<V> decoded) {
    return new KeyValue<>(key, decoded, revision(modified), Optional.of(uid()), Optional.empty());
  }

  static Revision revision(long number) {
    return new Revision(Long.toString(number));
  }
}
