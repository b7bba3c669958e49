package dev.evenkeel.api.txn;

import dev.evenkeel.api.Key;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What a value needs before it can be applied: all dependencies of a value must be met. Pure; loop
 * thread.
 */
public sealed interface Dependency {
  /** Names it, unique among the dependencies of one value; shown when the value is pending. */
  String label();

  /**
   * Needs one key.
   *
   * @param label its name
   * @param key path of the key
   */
  record On(String label, String key) implements Dependency {}

  /**
   * Needs any key with one of the prefixes that the predicate takes.
   *
   * @param label its name
   * @param prefixes at least one
   * @param filter takes a path; pure and quick; two dependencies with different filters need
   *     different labels
   */
  record AnyOf(String label, List<String> prefixes, Predicate<String> filter)
      implements Dependency {
    /** Copies and sorts the prefixes. */
    public AnyOf {
      prefixes = List.copyOf(new TreeSet<>(prefixes));
      if (prefixes.isEmpty()) {
        throw new IllegalArgumentException("an any-of dependency needs a prefix: " + label);
      }
    }
  }

  /** Needs that key; its path is the label. */
  static Dependency on(Key<?> key) {
    return new On(key.path(), key.path());
  }

  /** Needs any key below one of the prefixes. */
  static Dependency anyOf(String label, Set<String> prefixes) {
    return new AnyOf(label, List.copyOf(prefixes), path -> true);
  }
}
