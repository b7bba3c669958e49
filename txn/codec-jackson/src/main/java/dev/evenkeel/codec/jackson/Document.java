package dev.evenkeel.codec.jackson;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.InvalidInputException;
import java.util.Collections;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A JSON or YAML text that a person has written, as a plain tree (see {@link Json}), and where its
 * outermost names stand. Immutable; made by {@link DocumentReader}.
 *
 * @param tree what it says
 * @param places of the outermost names, if it is an object
 */
@Experimental
public record Document(Object tree, SortedMap<String, Place> places) {
  /** Copies the places. */
  public Document {
    places = Collections.unmodifiableSortedMap(new TreeMap<>(places));
  }

  /** A place in a text; lines and columns count from 1. */
  public record Place(int line, int column) {
    @Override
    public String toString() {
      return "line " + line + ", column " + column;
    }
  }

  /** How a text is written. */
  public enum Format {
    /** JSON, strictly. */
    JSON,
    /** YAML 1.2, one document, without anchors, aliases and tags. */
    YAML;

    /** By the end of a file's name: {@code .json}, {@code .yaml}, {@code .yml}. */
    public static Optional<Format> of(String fileName) {
      String name = fileName.toLowerCase(Locale.ROOT);
      if (name.endsWith(".json")) {
        return Optional.of(JSON);
      }
      return name.endsWith(".yaml") || name.endsWith(".yml") ? Optional.of(YAML) : Optional.empty();
    }
  }

  /**
   * Its names with their values.
   *
   * @param what for the message, such as a file's name
   * @throws InvalidInputException when it is no object
   */
  public SortedMap<String, Object> object(String what) {
    if (!(tree instanceof SortedMap<?, ?> map)) {
      throw InvalidInputException.of(what, "line 1", "", "must be an object: names with values");
    }
    SortedMap<String, Object> copy = new TreeMap<>();
    map.forEach((name, value) -> copy.put((String) name, value));
    return copy;
  }
}
