package dev.evenkeel.txn.engine;

import dev.evenkeel.api.txn.Dependency;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Any-of dependencies. Equal ones of many values are one condition. A condition that is met
 * remembers one target that meets it, its witness; so a target that comes costs only where one was
 * missing, and one that goes only where it was the witness. Loop thread only.
 */
final class AnyOfs {
  private static final Logger LOG = LoggerFactory.getLogger(AnyOfs.class);

  private final Targets targets;
  private final Map<Same, Condition> conditions = new HashMap<>();

  /** The unmet ones by prefix, those grouped by its length: a path is looked up once per length. */
  private final TreeMap<Integer, Map<String, Set<Condition>>> unmet = new TreeMap<>();

  private final Map<String, Set<Condition>> witnessed = new HashMap<>();

  /** What can be depended on. */
  interface Targets {
    /** The next path in order, if one starts with the prefix; whether available or not. */
    @Nullable String after(String path, String prefix);

    boolean available(String path);
  }

  /** What makes two conditions one: labels do not matter, filters must be the same object. */
  private record Same(List<String> prefixes, Predicate<String> filter) {
    static Same of(Dependency.AnyOf any) {
      return new Same(any.prefixes(), any.filter());
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Same same && same.filter == filter && same.prefixes.equals(prefixes);
    }

    @Override
    public int hashCode() {
      return 31 * prefixes.hashCode() + System.identityHashCode(filter);
    }
  }

  private static final class Condition {
    final Dependency.AnyOf any;
    final TreeMap<String, Node> dependents = new TreeMap<>();
    @Nullable String witness;

    Condition(Dependency.AnyOf any) {
      this.any = any;
    }
  }

  AnyOfs(Targets targets) {
    this.targets = targets;
  }

  void link(Node node, Dependency.AnyOf any) {
    Condition condition = conditions.get(Same.of(any));
    if (condition == null) {
      condition = new Condition(any);
      conditions.put(Same.of(any), condition);
      settle(condition, search(any, null));
    }
    condition.dependents.put(node.path, node);
  }

  void unlink(Node node, Dependency.AnyOf any) {
    Condition condition = conditions.get(Same.of(any));
    if (condition != null) {
      condition.dependents.remove(node.path);
      if (condition.dependents.isEmpty()) {
        conditions.remove(Same.of(any));
        forget(condition);
      }
    }
  }

  boolean met(Dependency.AnyOf any) {
    Condition condition = conditions.get(Same.of(any));
    return (condition == null ? search(any, null) : condition.witness) != null;
  }

  /** A path has become available. */
  void arrived(String path) {
    if (!unmet.isEmpty()) {
      for (Condition condition : waitingFor(path)) {
        forget(condition);
        settle(condition, path);
      }
    }
  }

  /** A path is not available any more. */
  void left(String path) {
    Set<Condition> lost = witnessed.remove(path);
    if (lost != null) {
      for (Condition condition : lost) {
        settle(condition, search(condition.any, path));
      }
    }
  }

  /** Whose readiness hangs on this path: those that it meets, or would meet. */
  void collect(String path, Map<String, Node> into) {
    for (Condition condition : witnessed.getOrDefault(path, Set.of())) {
      into.putAll(condition.dependents);
    }
    if (!unmet.isEmpty()) {
      waitingFor(path).forEach(condition -> into.putAll(condition.dependents));
    }
  }

  boolean isEmpty() {
    return conditions.isEmpty();
  }

  private Set<Condition> waitingFor(String path) {
    Set<Condition> found = new LinkedHashSet<>();
    for (Map.Entry<Integer, Map<String, Set<Condition>>> entry :
        unmet.headMap(path.length(), true).entrySet()) {
      for (Condition condition :
          entry.getValue().getOrDefault(path.substring(0, entry.getKey()), Set.of())) {
        if (passes(condition.any, path)) {
          found.add(condition);
        }
      }
    }
    return found;
  }

  private void settle(Condition condition, @Nullable String witness) {
    condition.witness = witness;
    if (witness != null) {
      witnessed.computeIfAbsent(witness, w -> new LinkedHashSet<>()).add(condition);
      return;
    }
    for (String prefix : condition.any.prefixes()) {
      unmet
          .computeIfAbsent(prefix.length(), n -> new HashMap<>())
          .computeIfAbsent(prefix, p -> new LinkedHashSet<>())
          .add(condition);
    }
  }

  private void forget(Condition condition) {
    String witness = condition.witness;
    if (witness != null) {
      removeFrom(witnessed, witness, condition);
      return;
    }
    for (String prefix : condition.any.prefixes()) {
      Map<String, Set<Condition>> sameLength = unmet.get(prefix.length());
      if (sameLength != null) {
        removeFrom(sameLength, prefix, condition);
        if (sameLength.isEmpty()) {
          unmet.remove(prefix.length());
        }
      }
    }
  }

  private static void removeFrom(
      Map<String, Set<Condition>> index, String at, Condition condition) {
    Set<Condition> there = index.get(at);
    if (there != null) {
      there.remove(condition);
      if (there.isEmpty()) {
        index.remove(at);
      }
    }
  }

  /**
   * Finds a witness. From the lost one on, and then from the start: when targets go one after
   * another, each next one is found at once.
   */
  private @Nullable String search(Dependency.AnyOf any, @Nullable String lost) {
    for (String prefix : any.prefixes()) {
      String from = lost != null && lost.startsWith(prefix) ? lost : prefix;
      String found = search(any, prefix, from, null);
      if (found == null && !from.equals(prefix)) {
        found = search(any, prefix, prefix, from);
      }
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private @Nullable String search(
      Dependency.AnyOf any, String prefix, String from, @Nullable String until) {
    if (from.equals(prefix) && meets(any, prefix)) {
      return prefix;
    }
    String at = targets.after(from, prefix);
    while (at != null && (until == null || at.compareTo(until) < 0)) {
      if (meets(any, at)) {
        return at;
      }
      at = targets.after(at, prefix);
    }
    return null;
  }

  private boolean meets(Dependency.AnyOf any, String path) {
    return targets.available(path) && passes(any, path);
  }

  /** A filter that throws takes nothing: its value stays pending, and says for what it waits. */
  static boolean passes(Dependency.AnyOf any, String path) {
    try {
      return any.filter().test(path);
    } catch (RuntimeException | Error thrown) {
      LOG.warn("the filter of dependency {} fails for {}", any.label(), path, thrown);
      return false;
    }
  }
}
