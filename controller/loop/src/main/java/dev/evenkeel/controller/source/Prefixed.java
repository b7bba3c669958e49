package dev.evenkeel.controller.source;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;

/**
 * A key that lives elsewhere: the same values, below a prefix. So external configuration has a
 * place of its own in a datastore, and a mirror a place of its own in another.
 *
 * @param type the kind, below the prefix
 * @param inner the key without the prefix
 */
record Prefixed<V>(KeyType<V> type, Key<V> inner, String path) implements Key<V> {
  /** A kind below a prefix, which starts with a slash and ends without one. */
  static <V> KeyType<V> type(String prefix, KeyType<V> inner) {
    return KeyType.of(
        inner.name(),
        prefix + inner.prefix(),
        inner.valueType(),
        path -> inner.parse(path.substring(prefix.length())).map(key -> Prefixed.of(prefix, key)));
  }

  static <V> Key<V> of(String prefix, Key<V> inner) {
    return new Prefixed<>(type(prefix, inner.type()), inner, prefix + inner.path());
  }
}
