package dev.evenkeel.api;

import java.util.List;

/**
 * A typed key. Implemented by users as records; pure, any thread, no I/O.
 *
 * <p>Two different keys never share a path, and {@code type().parse(path())} gives an equal key
 * back. Names inside a path are escaped by {@link KeyPaths}, so that a name with {@code /} in it
 * cannot forge another key (datastore reference, 1.3–1.7).
 *
 * @param <V> type of the value; values are immutable and compared by {@code equals}
 */
public interface Key<V> extends Comparable<Key<?>> {
  /**
   * The canonical path, such as {@code /volumes/data-1}; unique, stable, starts with the prefix of
   * its type.
   */
  String path();

  /** What kind of key this is. */
  KeyType<V> type();

  /**
   * The path below which a delete of this key removes everything: itself, unless the key is a
   * parent.
   */
  default String deletePath() {
    return path();
  }

  /** Keys that may go when their last child has gone, nearest first. */
  default List<Key<?>> parents() {
    return List.of();
  }

  /** By path. */
  @Override
  default int compareTo(Key<?> other) {
    return path().compareTo(other.path());
  }
}
