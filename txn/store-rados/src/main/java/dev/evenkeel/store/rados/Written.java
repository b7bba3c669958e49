package dev.evenkeel.store.rados;

import dev.evenkeel.api.Fields;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.datastore.Codecs;
import dev.evenkeel.api.datastore.DatastoreException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A value as the bytes of its fields, checked before anything is sent. Immutable. */
final class Written {
  /** Largest record, in bytes of names and values. */
  static final int LARGEST = 4 << 20;

  private final SortedMap<String, byte[]> fields;

  private Written(SortedMap<String, byte[]> fields) {
    this.fields = fields;
  }

  static <V> Written of(KeyType<V> type, String path, V value, Codecs codecs) {
    Fields flat;
    try {
      flat = codecs.toFields(type, value);
    } catch (InvalidInputException wrong) {
      throw wrong;
    } catch (RuntimeException odd) {
      throw DatastoreException.failed(path, "the value cannot be encoded", odd);
    }
    SortedMap<String, byte[]> fields = new TreeMap<>();
    long[] size = {0};
    flat.forEach(
        (name, text) -> {
          byte[] bytes = bytes(path, name, text);
          fields.put(checkedName(path, name), bytes);
          size[0] += bytes.length + (long) name.length();
        });
    if (size[0] > LARGEST) {
      throw new DatastoreException(
          dev.evenkeel.api.ErrorKind.OUT_OF_RANGE,
          path,
          "value of " + path + " has " + size[0] + " bytes; " + LARGEST + " is the most",
          null);
    }
    if (fields.size() > Records.MOST_FIELDS) {
      throw wrong(path, "fields", "must be at most " + Records.MOST_FIELDS);
    }
    return new Written(fields);
  }

  /** Puts the fields in, in place of all that were there. */
  void fill(Spot spot, WriteOp op, boolean isNew, Map<String, byte[]> more) {
    if (!isNew) {
      spot.clearFields(op, fields.keySet());
    }
    Map<String, byte[]> entries = new TreeMap<>(more);
    fields.forEach((name, bytes) -> entries.put(spot.key(name), bytes));
    op.set(entries);
  }

  private static String checkedName(String path, String name) {
    if (name.chars().anyMatch(c -> c < ' ') || name.length() > 1_024) {
      throw wrong(path, "field name", "must be short and have no control characters");
    }
    return name;
  }

  private static byte[] bytes(String path, String name, String text) {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException broken) {
      throw wrong(path, name, "must not have half a character");
    }
  }

  private static InvalidInputException wrong(String path, String field, String what) {
    return InvalidInputException.of("value of " + path, field, "", what);
  }
}
