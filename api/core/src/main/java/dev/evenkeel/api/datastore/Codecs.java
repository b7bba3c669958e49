package dev.evenkeel.api.datastore;

import dev.evenkeel.api.Fields;
import dev.evenkeel.api.KeyType;

/**
 * Turns values into their stored forms and back. Implemented by {@code evenkeel-codec-jackson}, and
 * by users who want another form; any thread, no I/O. Sizes and depths are limited; class names in
 * stored data are never trusted.
 */
public interface Codecs {
  /**
   * A value as bytes; throws {@link dev.evenkeel.api.InvalidInputException} when it cannot be
   * stored.
   */
  <V> byte[] toBytes(KeyType<V> type, V value);

  /** Bytes as a value; throws {@link DatastoreException.ParsingEntry}. */
  <V> V fromBytes(KeyType<V> type, String rawKey, byte[] bytes);

  /**
   * A value as flat fields; throws {@link dev.evenkeel.api.InvalidInputException} when it is not
   * flat.
   */
  <V> Fields toFields(KeyType<V> type, V value);

  /** Flat fields as a value; throws {@link DatastoreException.ParsingEntry}. */
  <V> V fromFields(KeyType<V> type, String rawKey, Fields fields);
}
