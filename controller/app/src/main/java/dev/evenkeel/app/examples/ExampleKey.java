package dev.evenkeel.app.examples;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import java.util.Optional;

/** A key of the examples: a path below the prefix of its kind. */
record ExampleKey<V>(String path, KeyType<V> type) implements Key<V> {
  /** A kind of keys, such as {@code nic} with the paths {@code /example/nic/…}. */
  static <V> KeyType<V> kind(String name, Class<V> values) {
    KindParser<V> parser = new KindParser<>();
    KeyType<V> kind = KeyType.of(name, "/example/" + name + "/", values, parser::parse);
    parser.kind = Optional.of(kind);
    return kind;
  }

  /** The kind is part of its own keys. */
  private static final class KindParser<V> {
    private Optional<KeyType<V>> kind = Optional.empty();

    Optional<Key<V>> parse(String path) {
      return kind.map(of -> new ExampleKey<>(path, of));
    }
  }
}
