package dev.evenkeel.controller.recording;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.InvalidInputException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reading and making the objects of a recording's lines. */
final class Trees {
  private Trees() {}

  static SortedMap<String, Object> of(String name, Object value) {
    SortedMap<String, Object> tree = new TreeMap<>();
    tree.put(name, value);
    return tree;
  }

  static SortedMap<String, Object> kind(String kind) {
    return of("kind", kind);
  }

  static Object get(SortedMap<String, Object> tree, String name) {
    Object value = tree.get(name);
    if (value == null) {
      throw malformed(name);
    }
    return value;
  }

  static String text(SortedMap<String, Object> tree, String name) {
    if (get(tree, name) instanceof String text) {
      return text;
    }
    throw malformed(name);
  }

  static long number(SortedMap<String, Object> tree, String name) {
    if (get(tree, name) instanceof Long number) {
      return number;
    }
    throw malformed(name);
  }

  static long numberOr(SortedMap<String, Object> tree, String name, long other) {
    return tree.containsKey(name) ? number(tree, name) : other;
  }

  static SortedMap<String, Object> object(SortedMap<String, Object> tree, String name) {
    return object(get(tree, name));
  }

  @SuppressWarnings("unchecked") // the parser makes objects of this class alone
  static SortedMap<String, Object> object(Object tree) {
    if (tree instanceof SortedMap<?, ?> map) {
      return (SortedMap<String, Object>) map;
    }
    throw malformed("object");
  }

  static List<?> list(SortedMap<String, Object> tree, String name) {
    if (get(tree, name) instanceof List<?> list) {
      return list;
    }
    throw malformed(name);
  }

  static EvenkeelException newer(long found, long known) {
    return new EvenkeelException(
        ErrorKind.FAILED_PRECONDITION,
        "the recording has version "
            + found
            + ", this build knows up to "
            + known
            + ": use a newer build");
  }

  static InvalidInputException malformed(String name) {
    return InvalidInputException.of("recording", name, "", "is missing or of another kind");
  }
}
