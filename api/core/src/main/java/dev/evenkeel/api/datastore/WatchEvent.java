package dev.evenkeel.api.datastore;

import dev.evenkeel.api.Key;
import java.util.Optional;

/**
 * What a watch delivers.
 *
 * @param <V> type of the values
 */
public sealed interface WatchEvent<V> {
  /** A pair that the store had not. */
  record Added<V>(KeyValue<V> current) implements WatchEvent<V> {}

  /**
   * A pair that the store had.
   *
   * @param previous as it was, where the store knows
   */
  record Modified<V>(Optional<KeyValue<V>> previous, KeyValue<V> current)
      implements WatchEvent<V> {}

  /**
   * A pair that is gone.
   *
   * @param previous as it was
   * @param revision of the delete itself
   */
  record Deleted<V>(Key<V> key, Optional<KeyValue<V>> previous, Revision revision)
      implements WatchEvent<V> {}

  /** Nothing has happened up to a revision: a watch may be resumed from there. */
  record Progress<V>(Revision revision) implements WatchEvent<V> {}

  /**
   * A stored value that cannot be decoded; the watch goes on.
   *
   * @param key the typed key, when at least that can be told
   * @param rawValue absent when there was none
   */
  record Unparsable<V>(
      Optional<Key<V>> key, String rawKey, Optional<byte[]> rawValue, Revision revision)
      implements WatchEvent<V> {}
}
