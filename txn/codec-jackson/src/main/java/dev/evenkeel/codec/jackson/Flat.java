package dev.evenkeel.codec.jackson;

import dev.evenkeel.api.Fields;
import dev.evenkeel.api.InvalidInputException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Trees as flat fields, with dots between the names of what is nested. */
final class Flat {
  private Flat() {}

  /** Empty texts, lists and maps are left out: a flat store cannot tell them from absent ones. */
  static Fields fields(Object tree, Path path) {
    SortedMap<String, String> out = new TreeMap<>();
    if (tree instanceof Map<?, ?> object) {
      object.forEach((name, each) -> add((String) name, each, out, path));
    } else {
      add("value", tree, out, path);
    }
    return Fields.of(out);
  }

  private static void add(String name, Object tree, SortedMap<String, String> out, Path path) {
    if (tree instanceof Map<?, ?> object) {
      object.forEach(
          (inner, each) -> {
            refuseEmpty(inner.equals("") || each.equals(""), path.to(name));
            add(name + "." + inner, each, out, path);
          });
    } else if (tree instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        refuseEmpty(list.get(i).equals(""), path.to(name));
        add(name + "." + i, list.get(i), out, path);
      }
    } else if (!tree.equals("") && tree != Json.NULL) {
      if (out.put(name, tree.toString()) != null) {
        throw notFlat(path.to(name));
      }
    }
  }

  /** By first name; what comes after its dot is the name inside the group. */
  static SortedMap<String, SortedMap<String, String>> groups(
      SortedMap<String, String> below, Path path) {
    SortedMap<String, SortedMap<String, String>> groups = new TreeMap<>();
    below.forEach(
        (name, text) -> {
          if (name.isEmpty()) {
            throw Malformed.at(path, "must have fields of its own");
          }
          int dot = name.indexOf('.');
          String first = dot < 0 ? name : name.substring(0, dot);
          String rest = dot < 0 ? "" : name.substring(dot + 1);
          groups.computeIfAbsent(first, f -> new TreeMap<>()).put(rest, text);
        });
    return groups;
  }

  @SuppressWarnings("unchecked") // trees have texts as names
  static SortedMap<String, Object> object(Object tree, Path path) {
    if (tree instanceof SortedMap<?, ?> object) {
      return (SortedMap<String, Object>) object;
    }
    throw Malformed.at(path, "must be an object");
  }

  static InvalidInputException notFlat(Path path) {
    return InvalidInputException.of("record", path.toString(), "", "is not flat enough for fields");
  }

  private static void refuseEmpty(boolean empty, Path path) {
    if (empty) {
      throw InvalidInputException.of(
          "record", path.toString(), "", "must not hold an empty text, which fields cannot hold");
    }
  }
}
