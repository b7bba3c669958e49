package dev.evenkeel.codec.jackson;

import dev.evenkeel.api.InvalidInputException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A sealed interface of records: the record's fields and {@code is}, the simple name of its class.
 * The names are a closed set, so nothing in a text is ever taken for a class.
 */
final class SealedShape extends Shape {
  private static final String IS = "is";

  private final Map<String, Shape> shapes;
  private final Map<Class<?>, String> names;

  SealedShape(Map<String, Shape> shapes, Map<Class<?>, String> names) {
    this.shapes = shapes;
    this.names = names;
  }

  @Override
  Object toTree(Object value, Path path) {
    String name = names.get(value.getClass());
    Shape shape = name == null ? null : shapes.get(name);
    if (name == null || shape == null) {
      throw InvalidInputException.of("value", path.toString(), "", "has a class that is not known");
    }
    SortedMap<String, Object> tree = new TreeMap<>(Flat.object(shape.toTree(value, path), path));
    tree.put(IS, name);
    return tree;
  }

  @Override
  Object fromTree(Object tree, Path path) {
    SortedMap<String, Object> rest = new TreeMap<>(Flat.object(tree, path));
    Object name = rest.remove(IS);
    return shape(name instanceof String s ? s : "", path).fromTree(rest, path);
  }

  @Override
  Object unflatten(SortedMap<String, String> below, Path path) {
    SortedMap<String, String> rest = new TreeMap<>(below);
    String name = rest.remove(IS);
    SortedMap<String, Object> tree =
        new TreeMap<>(
            Flat.object(shape(name == null ? "" : name, path).unflatten(rest, path), path));
    tree.put(IS, name == null ? "" : name);
    return tree;
  }

  private Shape shape(String name, Path path) {
    Shape shape = shapes.get(name);
    if (shape == null) {
      throw Malformed.at(path.to(IS), "must be one of " + new TreeMap<>(shapes).keySet());
    }
    return shape;
  }
}
