package dev.evenkeel.api;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * A kind of key: its prefix, the class of its values, and how a path becomes a key again. One
 * constant per kind; equal when name and prefix are. Any thread.
 *
 * @param <V> type of the values
 */
public final class KeyType<V> {
  private final String name;
  private final String prefix;
  private final Class<V> valueType;
  private final Function<String, Optional<Key<V>>> parser;

  private KeyType(
      String name, String prefix, Class<V> valueType, Function<String, Optional<Key<V>>> parser) {
    this.name = Objects.requireNonNull(name, "name");
    this.prefix = Objects.requireNonNull(prefix, "prefix");
    this.valueType = Objects.requireNonNull(valueType, "valueType");
    this.parser = Objects.requireNonNull(parser, "parser");
    if (!prefix.startsWith("/") || !prefix.endsWith("/")) {
      throw new IllegalArgumentException("a prefix starts and ends with '/': " + prefix);
    }
  }

  /**
   * A kind of key.
   *
   * @param name for people and for stored forms, such as {@code volume}
   * @param prefix where its keys live, such as {@code /volumes/}; no other kind's prefix is inside
   *     it
   * @param parser gives the key of a path, or empty when the path is not one of this kind; must not
   *     throw
   */
  public static <V> KeyType<V> of(
      String name, String prefix, Class<V> valueType, Function<String, Optional<Key<V>>> parser) {
    return new KeyType<>(name, prefix, valueType, parser);
  }

  /**
   * A kind whose keys have one name below the prefix: {@code prefix + escaped name}. The function
   * makes the key of a name.
   */
  public static <V> KeyType<V> named(
      String name, String prefix, Class<V> valueType, Function<String, Key<V>> ofName) {
    return new KeyType<>(
        name, prefix, valueType, path -> KeyPaths.singleName(prefix, path).map(ofName));
  }

  /** Name of the kind. */
  public String name() {
    return name;
  }

  /** Where its keys live; starts and ends with a slash. */
  public String prefix() {
    return prefix;
  }

  /** Class of its values. */
  public Class<V> valueType() {
    return valueType;
  }

  /** The key of a path, or empty when the path is none of this kind. Never throws. */
  public Optional<Key<V>> parse(String path) {
    return path.startsWith(prefix) ? parser.apply(path) : Optional.empty();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyType<?> t && t.name.equals(name) && t.prefix.equals(prefix);
  }

  @Override
  public int hashCode() {
    return prefix.hashCode();
  }

  @Override
  public String toString() {
    return name + "(" + prefix + ")";
  }
}
