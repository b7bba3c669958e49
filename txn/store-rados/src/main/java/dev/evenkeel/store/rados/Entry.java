package dev.evenkeel.store.rados;

import dev.evenkeel.api.Fields;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.Codecs;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.Revision;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A record as it is stored. One without a revision was written by ceph-csi: its revision is made of
 * its content, and it has no uid. Immutable; its bytes are never given out uncopied.
 */
final class Entry {
  final Spot spot;
  private final byte @Nullable [] head;
  private final Optional<String> uid;
  private final SortedMap<String, byte[]> fields;
  private final Revision revision;

  Entry(
      Spot spot, byte @Nullable [] head, byte @Nullable [] uid, SortedMap<String, byte[]> fields) {
    this.spot = spot;
    this.head = head;
    this.uid = Optional.ofNullable(uid).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    this.fields = fields;
    this.revision =
        head == null
            ? Revisions.ofContent(fields)
            : new Revision(new String(head, StandardCharsets.UTF_8));
  }

  Revision revision() {
    return revision;
  }

  Optional<String> uid() {
    return uid;
  }

  /** Makes an operation fail unless the record is still this one. */
  void mustBe(WriteOp op) {
    if (head != null) {
      op.equal(spot.head(), head);
      return;
    }
    op.absent(spot.head());
    spot.fixed()
        .forEach(
            (field, key) -> {
              byte[] value = fields.get(field);
              op.equal(key, value == null ? new byte[0] : value);
            });
  }

  /** As a pair; throws when the value cannot be decoded. */
  <V> KeyValue<V> pair(Key<V> key, Codecs codecs, Foreign foreign) {
    Map<String, String> texts = new TreeMap<>();
    fields.forEach(
        (name, bytes) -> {
          if (bytes.length > 0) {
            texts.put(name, text(bytes));
          }
        });
    if (head == null) {
      foreign.complete(key, texts);
    } else {
      Foreign.plain(key, texts);
    }
    V value = codecs.fromFields(key.type(), key.path(), Fields.of(texts));
    return pair(key, Optional.of(value));
  }

  /** As a pair, or empty when the value cannot be decoded. */
  <V> Optional<KeyValue<V>> tryPair(Key<V> key, Codecs codecs, Foreign foreign) {
    try {
      return Optional.of(pair(key, codecs, foreign));
    } catch (DatastoreException undecodable) {
      return Optional.empty();
    }
  }

  <V> KeyValue<V> pair(Key<V> key, Optional<V> value) {
    return new KeyValue<>(key, value, revision, uid, Optional.empty());
  }

  /** What there is, for those who are told that it cannot be decoded. */
  byte[] raw() {
    for (byte[] bytes : fields.values()) {
      try {
        var unused = text(bytes);
      } catch (DatastoreException.ParsingEntry odd) {
        return bytes.clone();
      }
    }
    return fields.values().stream().findFirst().map(byte[]::clone).orElseGet(() -> new byte[0]);
  }

  private String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException odd) {
      throw new DatastoreException.ParsingEntry(spot.path(), bytes, null);
    }
  }
}
