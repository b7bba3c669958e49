package dev.evenkeel.app.ask;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A part of an answer, for reading by name; what is absent is empty. Immutable. */
final class Node {
  private final @Nullable Object tree;

  Node(@Nullable Object tree) {
    this.tree = tree;
  }

  Node at(String name) {
    return new Node(tree instanceof Map<?, ?> map ? map.get(name) : null);
  }

  boolean has(String name) {
    return tree instanceof Map<?, ?> map && map.containsKey(name);
  }

  /** As a text; empty when absent. */
  String text() {
    return tree == null ? "" : String.valueOf(tree);
  }

  String text(String name) {
    return at(name).text();
  }

  boolean yes(String name) {
    return text(name).equals("true");
  }

  long number(String name) {
    return at(name).tree instanceof Number number ? number.longValue() : 0;
  }

  List<Node> list() {
    List<Node> list = new ArrayList<>();
    if (tree instanceof List<?> all) {
      all.forEach(one -> list.add(new Node(one)));
    }
    return list;
  }

  List<Node> list(String name) {
    return at(name).list();
  }

  /** Its parts by name. */
  Map<String, Node> parts() {
    Map<String, Node> parts = new TreeMap<>();
    if (tree instanceof Map<?, ?> map) {
      map.forEach((name, value) -> parts.put(String.valueOf(name), new Node(value)));
    }
    return parts;
  }

  /** All texts of a list, with commas. */
  String joined(String name) {
    return String.join(", ", list(name).stream().map(Node::text).toList());
  }

  Optional<Node> first(String name) {
    return list(name).stream().findFirst();
  }
}
