package dev.evenkeel.codec.jackson;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.event.StateChange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Values beside their keys: the key's path says the kind, and the kind says the class of the value.
 * The kinds come from the codec's {@link KeyTypes}, never out of a text.
 */
abstract class KeyedShape extends Shape {
  final Shapes shapes;

  KeyedShape(Shapes shapes) {
    this.shapes = shapes;
  }

  @Override
  final Object unflatten(SortedMap<String, String> below, Path path) {
    throw Flat.notFlat(path);
  }

  final SortedMap<String, Object> entry(Key<?> key, Optional<?> value, Path path) {
    SortedMap<String, Object> tree = new TreeMap<>();
    tree.put("key", key.path());
    value.ifPresent(v -> tree.put("value", shapes.of(known(key.type(), path)).toTree(v, path)));
    return tree;
  }

  final KeyedOptional entry(Object tree, Path path) {
    SortedMap<String, Object> object = Flat.object(tree, path);
    Key<?> key =
        (object.get("key") instanceof String text
                ? shapes.keys().parse(text)
                : Optional.<Key<?>>empty())
            .orElseThrow(() -> Malformed.at(path.to("key"), "must be a key of a known kind"));
    Object value = object.get("value");
    return new KeyedOptional(
        key,
        value == null
            ? Optional.empty()
            : Optional.of(shapes.of(key.type()).fromTree(value, path.to("value"))));
  }

  final KeyType<?> known(KeyType<?> type, Path path) {
    if (!shapes.keys().knows(type)) {
      throw InvalidInputException.of(
          "value",
          path.toString(),
          type.toString(),
          "is a kind of key that this codec was not given");
    }
    return type;
  }

  record KeyedOptional(Key<?> key, Optional<Object> value) {}

  /** A key with its value. */
  static final class Pair extends KeyedShape {
    Pair(Shapes shapes) {
      super(shapes);
    }

    @Override
    Object toTree(Object value, Path path) {
      KeyedValue<?> pair = (KeyedValue<?>) value;
      return entry(pair.key(), Optional.of(pair.value()), path);
    }

    @Override
    Object fromTree(Object tree, Path path) {
      return pair(entry(tree, path), path);
    }

    @SuppressWarnings("unchecked") // the value was read by the shape of the key's own kind
    static KeyedValue<?> pair(KeyedOptional entry, Path path) {
      Object value = entry.value.orElseThrow(() -> Malformed.at(path.to("value"), "is missing"));
      return new KeyedValue<>((Key<Object>) entry.key, value);
    }
  }

  /** A snapshot of the input state, as a list by path. */
  static final class State extends KeyedShape {
    State(Shapes shapes) {
      super(shapes);
    }

    @Override
    Object toTree(Object value, Path path) {
      List<Object> tree = new ArrayList<>();
      for (KeyedValue<?> each : ((InputState) value).values()) {
        tree.add(entry(each.key(), Optional.of(each.value()), path));
      }
      return tree;
    }

    @Override
    Object fromTree(Object tree, Path path) {
      List<KeyedValue<?>> values = new ArrayList<>();
      for (Object each : Changes.list(tree, path)) {
        Path at = path.to(Integer.toString(values.size()));
        values.add(Pair.pair(entry(each, at), at));
      }
      return InputState.of(values);
    }
  }

  /** Changes by key, as a list by path; what goes has no value. */
  static final class Changes extends KeyedShape {
    Changes(Shapes shapes) {
      super(shapes);
    }

    /** None: what came later than the stored text is simply not in it. */
    @Override
    Optional<Object> missing() {
      return Optional.of(Collections.emptySortedMap());
    }

    @Override
    Object toTree(Object value, Path path) {
      List<Object> tree = new ArrayList<>();
      new TreeMap<Key<?>, Object>(keyed(value))
          .forEach((key, each) -> tree.add(entry(key, (Optional<?>) each, path)));
      return tree;
    }

    @Override
    Object fromTree(Object tree, Path path) {
      SortedMap<Key<?>, Optional<Object>> changes = new TreeMap<>();
      for (Object each : list(tree, path)) {
        KeyedOptional entry = entry(each, path.to(Integer.toString(changes.size())));
        changes.put(entry.key(), entry.value());
      }
      return Collections.unmodifiableSortedMap(changes);
    }

    @SuppressWarnings("unchecked") // only used for maps of keys
    private static Map<Key<?>, Object> keyed(Object value) {
      return (Map<Key<?>, Object>) value;
    }

    static List<?> list(Object tree, Path path) {
      if (tree instanceof List<?> list) {
        return list;
      }
      throw Malformed.at(path, "must be a list");
    }
  }

  /** One change of the input state. */
  static final class Change extends KeyedShape {
    Change(Shapes shapes) {
      super(shapes);
    }

    @Override
    Object toTree(Object value, Path path) {
      StateChange change = (StateChange) value;
      Shape shape = shapes.of(known(change.kind(), path));
      SortedMap<String, Object> tree = new TreeMap<>();
      tree.put("key", change.key());
      tree.put("kind", change.kind().name());
      change.previous().ifPresent(v -> tree.put("previous", shape.toTree(v, path)));
      change.current().ifPresent(v -> tree.put("current", shape.toTree(v, path)));
      return tree;
    }

    @Override
    Object fromTree(Object tree, Path path) {
      SortedMap<String, Object> object = Flat.object(tree, path);
      if (!(object.get("key") instanceof String key)) {
        throw Malformed.at(path.to("key"), "must be a text");
      }
      KeyType<?> kind =
          (object.get("kind") instanceof String name
                  ? shapes.keys().named(name)
                  : Optional.<KeyType<?>>empty())
              .orElseThrow(() -> Malformed.at(path.to("kind"), "must be a known kind of key"));
      Shape shape = shapes.of(kind);
      Optional<Object> previous = value(object, "previous", shape, path);
      Optional<Object> current = value(object, "current", shape, path);
      if (previous.isEmpty() && current.isEmpty()) {
        throw Malformed.at(path, "must have a previous or a current value");
      }
      return new StateChange(key, kind, previous, current);
    }

    private static Optional<Object> value(
        SortedMap<String, Object> object, String name, Shape shape, Path path) {
      Object tree = object.get(name);
      return tree == null ? Optional.empty() : Optional.of(shape.fromTree(tree, path.to(name)));
    }
  }
}
