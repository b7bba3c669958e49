package dev.evenkeel.api;

import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * A record's value as flat named texts, in name order: OMAP entries on RADOS, a JSON object
 * elsewhere. Immutable. No name and no value is empty, since an empty OMAP value cannot be told
 * from an absent one.
 */
public final class Fields {
  private static final Fields EMPTY = new Fields(new TreeMap<>());

  private final SortedMap<String, String> byName;

  private Fields(SortedMap<String, String> byName) {
    this.byName = byName;
  }

  /** No fields. */
  public static Fields empty() {
    return EMPTY;
  }

  /** A copy of the map; throws {@link InvalidInputException} when a name or a value is empty. */
  public static Fields of(Map<String, String> map) {
    TreeMap<String, String> copy = new TreeMap<>();
    map.forEach(
        (name, value) -> copy.put(checked(name, "name", name), checked(name, "value", value)));
    return new Fields(copy);
  }

  /** The same fields with one set. */
  public Fields with(String name, String value) {
    TreeMap<String, String> copy = new TreeMap<>(byName);
    copy.put(checked(name, "name", name), checked(name, "value", value));
    return new Fields(copy);
  }

  /** The same fields without one. */
  public Fields without(String name) {
    TreeMap<String, String> copy = new TreeMap<>(byName);
    copy.remove(name);
    return new Fields(copy);
  }

  /** The value of a field. */
  public Optional<String> get(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** The value of a field that must be there, else {@link ErrorKind#INVALID}. */
  public String require(String name) {
    return get(name).orElseThrow(() -> InvalidInputException.of("record", name, "", "is missing"));
  }

  /** Calls back for each field in name order. */
  public void forEach(BiConsumer<String, String> action) {
    byName.forEach(action);
  }

  /** A sorted copy that the caller may change. */
  public SortedMap<String, String> toMap() {
    return new TreeMap<>(byName);
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return byName.isEmpty();
  }

  private static String checked(String field, String what, String text) {
    if (text.isEmpty()) {
      throw InvalidInputException.of(
          "record", field, "", "the " + what + " of a field must not be empty");
    }
    return text;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Fields f && f.byName.equals(byName);
  }

  @Override
  public int hashCode() {
    return byName.hashCode();
  }

  @Override
  public String toString() {
    return byName.toString();
  }
}
