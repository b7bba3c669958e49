package dev.evenkeel.codec.jackson;

import java.util.Optional;
import java.util.SortedMap;

/**
 * How the values of one Java type look as a tree. Compiled once for each type by {@link Shapes};
 * immutable, any thread.
 */
abstract class Shape {
  /** A value as a tree; throws InvalidInputException when it has none. */
  abstract Object toTree(Object value, Path path);

  /** A tree as a value; throws {@link Malformed}. */
  abstract Object fromTree(Object tree, Path path);

  /** The value of a component that is not there; empty when it must be. */
  Optional<Object> missing() {
    return Optional.empty();
  }

  /** Whether a component with this value is left out. */
  boolean omits(Object value) {
    return false;
  }

  /**
   * Flat fields as a tree.
   *
   * @param below names relative to this value and their texts; the value's own is the empty name
   */
  abstract Object unflatten(SortedMap<String, String> below, Path path);
}
