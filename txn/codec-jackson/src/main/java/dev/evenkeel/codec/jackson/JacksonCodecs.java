package dev.evenkeel.codec.jackson;

import dev.evenkeel.api.Fields;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.datastore.Codecs;
import dev.evenkeel.api.datastore.DatastoreException;
import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Stored values as compact JSON with sorted names, or as flat fields. Made once and given to a
 * store; any thread, no I/O.
 *
 * <p>A value is a record, {@link Fields}, or a single text, number or enum. Components are texts,
 * numbers, booleans, enums, {@code Instant}, {@code Duration}, {@code UUID}, {@code Optional},
 * lists, sets, maps by text, records, and sealed interfaces of records. A record's class must be
 * public in an exported package, or its package opened to this module. Unknown names are refused. A
 * record with an {@code int version} component whose class has a static {@code int VERSION} is
 * {@link DatastoreException.NewerVersion} when what is stored is newer, whatever else it holds.
 *
 * <p>Errors of reading never quote what was stored.
 */
public final class JacksonCodecs implements Codecs {
  private final Json json;
  private final Shapes shapes;

  /** With the usual limits, and no keys inside values. */
  public JacksonCodecs() {
    this(Limits.VALUES, KeyTypes.NONE);
  }

  /** With those limits, and keys of those kinds inside values. */
  public JacksonCodecs(Limits limits, KeyTypes keys) {
    this.json = new Json(limits);
    this.shapes = new Shapes(keys, false);
  }

  @Override
  public <V> byte[] toBytes(KeyType<V> type, V value) {
    return json.bytes(tree(type, value));
  }

  @Override
  public <V> V fromBytes(KeyType<V> type, String rawKey, byte[] bytes) {
    Shape shape = shapes.of(type);
    try {
      return cast(type, shape.fromTree(json.parse(bytes), Path.root(type.name())));
    } catch (NewerFound newer) {
      throw new DatastoreException.NewerVersion(rawKey, newer.found, newer.known);
    } catch (Malformed | InvalidInputException wrong) {
      throw new DatastoreException.ParsingEntry(rawKey, bytes, wrong);
    }
  }

  @Override
  public <V> Fields toFields(KeyType<V> type, V value) {
    return Flat.fields(tree(type, value), Path.root(type.name()));
  }

  @Override
  public <V> V fromFields(KeyType<V> type, String rawKey, Fields fields) {
    Shape shape = shapes.of(type);
    Path path = Path.root(type.name());
    try {
      // A single text or number is the field "value".
      var below = fields.toMap();
      var texts = shape instanceof ScalarShape ? single(below, path) : below;
      return cast(type, shape.fromTree(shape.unflatten(texts, path), path));
    } catch (NewerFound newer) {
      throw new DatastoreException.NewerVersion(rawKey, newer.found, newer.known);
    } catch (Malformed wrong) {
      byte[] raw = json.bytes(fields.toMap());
      throw new DatastoreException.ParsingEntry(rawKey, raw, wrong);
    }
  }

  /**
   * Any value of a storable type as text: for answers, histories and recordings.
   *
   * @throws InvalidInputException when it cannot be stored
   */
  public <T> String toText(Class<T> type, T value) {
    byte[] utf8 =
        json.bytes(shapes.of((java.lang.reflect.Type) type).toTree(value, Path.root("value")));
    return new String(utf8, StandardCharsets.UTF_8);
  }

  /** The inverse of {@link #toText}; throws {@link InvalidInputException}. */
  public <T> T fromText(Class<T> type, String text) {
    try {
      Object value =
          shapes
              .of((java.lang.reflect.Type) type)
              .fromTree(json.parse(text), Path.root(type.getSimpleName()));
      return type.cast(value);
    } catch (Malformed wrong) {
      throw new InvalidInputException(type.getSimpleName(), wrong.faults());
    } catch (NewerFound newer) {
      throw InvalidInputException.of(
          type.getSimpleName(),
          "version",
          Integer.toString(newer.found),
          "is newer than this build");
    }
  }

  private <V> Object tree(KeyType<V> type, V value) {
    if (!type.valueType().isInstance(value)) {
      throw InvalidInputException.of(
          "value of " + type.name(),
          "class",
          value.getClass().getName(),
          "is not that of the kind");
    }
    return shapes.of(type).toTree(value, Path.root(type.name()));
  }

  private static SortedMap<String, String> single(SortedMap<String, String> fields, Path path) {
    String text = fields.get("value");
    if (fields.size() > 1 || (text == null && !fields.isEmpty())) {
      throw Malformed.at(path, "must be the one field named value");
    }
    SortedMap<String, String> texts = new TreeMap<>();
    texts.put("", text == null ? "" : text);
    return texts;
  }

  private static <V> V cast(KeyType<V> type, Object value) {
    return type.valueType().cast(value);
  }
}
