package dev.evenkeel.codec.jackson;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** A map with texts as names, sorted by them; {@code Fields} is one. */
final class MapShape extends Shape {
  private final Shape element;
  private final Function<Object, Map<?, ?>> taken;
  private final Function<SortedMap<String, Object>, Object> made;

  private MapShape(
      Shape element,
      Function<Object, Map<?, ?>> taken,
      Function<SortedMap<String, Object>, Object> made) {
    this.element = element;
    this.taken = taken;
    this.made = made;
  }

  static MapShape map(Shape element) {
    return new MapShape(element, value -> (Map<?, ?>) value, Collections::unmodifiableSortedMap);
  }

  static MapShape of(
      Shape element,
      Function<Object, Map<?, ?>> taken,
      Function<SortedMap<String, Object>, Object> made) {
    return new MapShape(element, taken, made);
  }

  @Override
  Object toTree(Object value, Path path) {
    SortedMap<String, Object> tree = new TreeMap<>();
    taken
        .apply(value)
        .forEach(
            (name, each) -> tree.put((String) name, element.toTree(each, path.to((String) name))));
    return tree;
  }

  @Override
  Object fromTree(Object tree, Path path) {
    SortedMap<String, Object> values = new TreeMap<>();
    Flat.object(tree, path)
        .forEach((name, each) -> values.put(name, element.fromTree(each, path.to(name))));
    return made.apply(values);
  }

  @Override
  Optional<Object> missing() {
    return Optional.of(made.apply(new TreeMap<>()));
  }

  @Override
  Object unflatten(SortedMap<String, String> below, Path path) {
    if (!(element instanceof ScalarShape)) {
      throw Flat.notFlat(path);
    }
    SortedMap<String, Object> tree = new TreeMap<>();
    // The rest of the name is the map's own, dots included.
    below.forEach(
        (name, text) ->
            tree.put(name, element.unflatten(new TreeMap<>(Map.of("", text)), path.to(name))));
    return tree;
  }
}
