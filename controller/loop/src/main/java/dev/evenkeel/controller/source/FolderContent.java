package dev.evenkeel.controller.source;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The last good content of each file, and what it comes to. Immutable.
 *
 * @param files by name: path to value, as one line of JSON
 */
record FolderContent(SortedMap<String, SortedMap<String, String>> files) {
  static final FolderContent EMPTY = new FolderContent(new TreeMap<>());

  FolderContent {
    SortedMap<String, SortedMap<String, String>> copy = new TreeMap<>();
    files.forEach(
        (name, values) -> copy.put(name, Collections.unmodifiableSortedMap(new TreeMap<>(values))));
    files = Collections.unmodifiableSortedMap(copy);
  }

  /** Path to value. Of files that have the same path, the first by name counts. */
  SortedMap<String, String> values() {
    SortedMap<String, String> values = new TreeMap<>();
    files.values().forEach(file -> file.forEach((path, text) -> values.putIfAbsent(path, text)));
    return values;
  }

  /** Paths that several files have, each with what to say of it. */
  SortedMap<String, String> doubles() {
    SortedMap<String, String> first = new TreeMap<>();
    SortedMap<String, String> doubles = new TreeMap<>();
    files.forEach(
        (name, values) ->
            values
                .keySet()
                .forEach(
                    path -> {
                      String other = first.putIfAbsent(path, name);
                      if (other != null) {
                        doubles.merge(
                            path,
                            path + " stands in " + other + ", which counts, and in " + name,
                            (a, b) -> a + " and in " + name);
                      }
                    }));
    return doubles;
  }
}
