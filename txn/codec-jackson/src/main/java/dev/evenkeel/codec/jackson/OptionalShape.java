package dev.evenkeel.codec.jackson;

import java.util.Optional;
import java.util.SortedMap;

/** An optional: left out of its record when empty. */
final class OptionalShape extends Shape {
  private final Shape inner;

  OptionalShape(Shape inner) {
    this.inner = inner;
  }

  @Override
  Object toTree(Object value, Path path) {
    Optional<?> optional = (Optional<?>) value;
    return optional.isEmpty() ? Json.NULL : inner.toTree(optional.get(), path);
  }

  @Override
  Object fromTree(Object tree, Path path) {
    return tree == Json.NULL ? Optional.empty() : Optional.of(inner.fromTree(tree, path));
  }

  @Override
  Optional<Object> missing() {
    return Optional.of(Optional.empty());
  }

  @Override
  boolean omits(Object value) {
    return ((Optional<?>) value).isEmpty();
  }

  @Override
  Object unflatten(SortedMap<String, String> below, Path path) {
    return inner.unflatten(below, path);
  }
}
