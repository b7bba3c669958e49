package dev.evenkeel.codec.jackson;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Function;

/** A list, or a set as a list: sorted sets in their order, other sets by the text of an element. */
final class ListShape extends Shape {
  private final Shape element;
  private final boolean byText;
  private final Function<List<Object>, Object> made;

  private ListShape(Shape element, boolean byText, Function<List<Object>, Object> made) {
    this.element = element;
    this.byText = byText;
    this.made = made;
  }

  static ListShape list(Shape element) {
    return new ListShape(element, false, List::copyOf);
  }

  static ListShape set(Shape element) {
    return new ListShape(
        element, true, values -> Collections.unmodifiableSet(new LinkedHashSet<>(values)));
  }

  static ListShape sortedSet(Shape element) {
    return new ListShape(
        element, false, values -> Collections.unmodifiableSortedSet(new TreeSet<>(values)));
  }

  @Override
  Object toTree(Object value, Path path) {
    List<Object> tree = new ArrayList<>();
    for (Object each : (Collection<?>) value) {
      tree.add(element.toTree(each, path.to(Integer.toString(tree.size()))));
    }
    if (byText) {
      tree.sort(Comparator.comparing(Object::toString));
    }
    return tree;
  }

  @Override
  Object fromTree(Object tree, Path path) {
    if (!(tree instanceof List<?> list)) {
      throw Malformed.at(path, "must be a list");
    }
    List<Object> values = new ArrayList<>(list.size());
    for (Object each : list) {
      values.add(element.fromTree(each, path.to(Integer.toString(values.size()))));
    }
    return made.apply(values);
  }

  @Override
  Optional<Object> missing() {
    return Optional.of(made.apply(List.of()));
  }

  @Override
  Object unflatten(SortedMap<String, String> below, Path path) {
    var groups = Flat.groups(below, path);
    List<Object> tree = new ArrayList<>(groups.size());
    for (int i = 0; i < groups.size(); i++) {
      String name = Integer.toString(i);
      SortedMap<String, String> group = groups.get(name);
      if (group == null) {
        throw Malformed.at(path, "must be numbered from 0 without a gap");
      }
      tree.add(element.unflatten(group, path.to(name)));
    }
    return tree;
  }
}
