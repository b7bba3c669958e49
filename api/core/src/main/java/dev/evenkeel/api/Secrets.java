package dev.evenkeel.api;

import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The named secrets of one request. Immutable; prints the names only; is never stored, recorded or
 * fingerprinted.
 */
public final class Secrets {
  /** A request without secrets. */
  public static final Secrets NONE = new Secrets(Map.of());

  private final TreeMap<String, Secret> byName;

  private Secrets(Map<String, Secret> byName) {
    this.byName = new TreeMap<>(byName);
  }

  /** A copy of the given secrets. */
  public static Secrets of(Map<String, Secret> byName) {
    return byName.isEmpty() ? NONE : new Secrets(byName);
  }

  /** The secret of that name. */
  public Optional<Secret> get(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** All names, in order. */
  public SortedSet<String> names() {
    return new TreeSet<>(byName.keySet());
  }

  @Override
  public String toString() {
    return "Secrets" + byName.keySet();
  }
}
