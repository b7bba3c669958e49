package dev.evenkeel.api.datastore;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyPaths;
import dev.evenkeel.api.KeyType;
import java.util.Optional;

/**
 * What to list or watch: one kind of key, narrowed to one key, to a directory, or to the beginning
 * of a last segment.
 *
 * @param type the kind
 * @param root path that the found ones start with
 * @param scope how {@code root} is meant
 */
public record ListOptions<V>(KeyType<V> type, String root, Scope scope) {
  /** How a root is meant. */
  public enum Scope {
    /** Exactly that key. */
    ONE,
    /** What is inside it; the slash at its end is added when it is missing. */
    DIRECTORY,
    /** What begins with it, without a delimiter. */
    NAME_PREFIX
  }

  /** Refuses a root outside the kind, and gives a directory the slash that it ends with. */
  public ListOptions {
    if (!root.startsWith(type.prefix())) {
      throw new IllegalArgumentException(root + " is not below " + type.prefix());
    }
    if (scope == Scope.DIRECTORY && !root.endsWith("/")) {
      root = root + "/";
    }
  }

  /** Everything of a kind. */
  public static <V> ListOptions<V> all(KeyType<V> type) {
    return new ListOptions<>(type, type.prefix(), Scope.DIRECTORY);
  }

  /** One key. */
  public static <V> ListOptions<V> one(Key<V> key) {
    return new ListOptions<>(key.type(), key.path(), Scope.ONE);
  }

  /** What lies below the given names. */
  public static <V> ListOptions<V> inside(KeyType<V> type, String... names) {
    return new ListOptions<>(type, KeyPaths.join(type.prefix(), names), Scope.DIRECTORY);
  }

  /** What has a last name that begins with the given text. */
  public static <V> ListOptions<V> beginningWith(KeyType<V> type, String namePrefix) {
    return new ListOptions<>(type, type.prefix() + KeyPaths.escape(namePrefix), Scope.NAME_PREFIX);
  }

  /** The key of a path if it is among those meant; never throws. */
  public Optional<Key<V>> match(String path) {
    boolean inside = scope == Scope.ONE ? path.equals(root) : path.startsWith(root);
    return inside ? type.parse(path) : Optional.empty();
  }
}
