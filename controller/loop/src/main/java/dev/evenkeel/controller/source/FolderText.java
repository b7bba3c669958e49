package dev.evenkeel.controller.source;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.datastore.Codecs;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.codec.jackson.Document;
import dev.evenkeel.codec.jackson.DocumentReader;
import dev.evenkeel.codec.jackson.Json;
import dev.evenkeel.codec.jackson.Limits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the text of a file says: paths with their values, each as one line of JSON. Pure. */
final class FolderText {
  /** One file: 1 MiB, 32 deep. */
  static final Limits LIMITS = new Limits(1 << 20, 32, 1 << 19);

  private final List<KeyType<?>> kinds;
  private final Codecs codecs;
  private final DocumentReader reader = new DocumentReader(LIMITS);
  private final Json json = new Json(LIMITS);

  FolderText(List<KeyType<?>> kinds, Codecs codecs) {
    this.kinds = List.copyOf(kinds);
    this.codecs = codecs;
  }

  /**
   * Reads a text.
   *
   * @throws InvalidInputException with everything that is wrong, and where
   */
  SortedMap<String, String> read(String file, byte[] utf8) {
    Document.Format format = Document.Format.of(file).orElseThrow();
    Document document = reader.read(file, utf8, format);
    List<InvalidInputException.Fault> faults = new ArrayList<>();
    SortedMap<String, String> values = new TreeMap<>();
    document
        .object(file)
        .forEach(
            (path, tree) -> {
              String text = json.write(tree);
              Optional<String> fault = fault(path, text);
              if (fault.isPresent()) {
                String place = Objects.toString(document.places().get(path), path);
                faults.add(new InvalidInputException.Fault(place, path, fault.get()));
              } else {
                values.put(path, text);
              }
            });
    if (!faults.isEmpty()) {
      throw new InvalidInputException(file, faults);
    }
    return values;
  }

  /** What is wrong with a value, if anything is. */
  Optional<String> fault(String path, String text) {
    if (key(path).isEmpty()) {
      List<String> prefixes = kinds.stream().map(KeyType::prefix).sorted().toList();
      return Optional.of("is not the path of a key below one of " + prefixes);
    }
    try {
      KeyedValue<?> unused = value(path, text);
      return Optional.empty();
    } catch (DatastoreException | InvalidInputException wrong) {
      return Optional.of("has a value that cannot be decoded: " + wrong.getMessage());
    }
  }

  private Optional<? extends Key<?>> key(String path) {
    return kinds.stream()
        .filter(kind -> path.startsWith(kind.prefix()))
        .findFirst()
        .flatMap(kind -> kind.parse(path));
  }

  /** A value that {@link #read} has accepted. */
  KeyedValue<?> value(String path, String text) {
    return keyed(key(path).orElseThrow(), text);
  }

  private <V> KeyedValue<V> keyed(Key<V> key, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return new KeyedValue<>(key, codecs.fromBytes(key.type(), key.path(), utf8));
  }

  /** The key of a path that {@link #read} has accepted. */
  Key<?> keyOf(String path) {
    return key(path).orElseThrow();
  }
}
