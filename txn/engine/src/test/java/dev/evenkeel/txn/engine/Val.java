package dev.evenkeel.txn.engine;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import java.util.List;
import java.util.Optional;

/** Values of the tests: lists of items, and one item. */
sealed interface Val {
  /** A list value: it derives one item per entry. */
  record L(List<String> items) implements Val {
    @Override
    public String toString() {
      return "L" + items;
    }
  }

  /** An item. {@code i=7} is item i with content 7. */
  record S(String text) implements Val {
    String name() {
      int at = text.indexOf('=');
      return at < 0 ? text : text.substring(0, at);
    }
  }

  /** A key; paths are written without their first slash in tests. */
  record K(String path, KeyType<Val> type) implements Key<Val> {}

  static Val list(String... items) {
    return new L(List.of(items));
  }

  /** The kind of keys below a prefix such as {@code a}. */
  static KeyType<Val> type(String letter) {
    String prefix = "/" + letter + "/";
    return KeyType.of(letter, prefix, Val.class, path -> Optional.of(key(path.substring(1))));
  }

  /** A key such as {@code a/1}. */
  static Key<Val> key(String path) {
    return new K("/" + path, type(path.substring(0, path.indexOf('/'))));
  }

  /** The key of a property: below the same prefix, but of a kind that nobody describes. */
  static Key<Val> property(String path) {
    String prefix = "/" + path.substring(0, path.indexOf('/')) + "/";
    return new K(
        "/" + path,
        KeyType.of("property", prefix, Val.class, p -> Optional.of(property(p.substring(1)))));
  }
}
