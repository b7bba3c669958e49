package dev.evenkeel.txn.engine;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.txn.Dependency;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All nodes, which of them are available, and who depends on which path. Every look-up is O(log n)
 * in the number of values, or in proportion to what it finds: exact dependencies by target, any-of
 * ones by prefix, grouped by the length of the prefix, so that a path is looked up once per length
 * that occurs. Loop thread only.
 */
final class Graph {
  private static final Logger LOG = LoggerFactory.getLogger(Graph.class);

  private final Map<KeyType<?>, Bound<?, ?>> byType = new HashMap<>();
  private final TreeMap<String, Node> nodes = new TreeMap<>();
  private final TreeMap<String, Node> available = new TreeMap<>();
  private final Map<String, TreeMap<String, Node>> exact = new HashMap<>();
  private final TreeMap<Integer, Map<String, TreeMap<String, Node>>> anyOf = new TreeMap<>();
  private final TreeSet<String> touched = new TreeSet<>();

  Graph(Collection<Bound<?, ?>> bounds) {
    bounds.forEach(bound -> byType.put(bound.descriptor().type(), bound));
  }

  @Nullable Bound<?, ?> bound(Key<?> key) {
    return byType.get(key.type());
  }

  @Nullable Node find(String path) {
    return nodes.get(path);
  }

  /** The base node of a key, made if there is none. */
  Node base(Key<?> key) {
    return nodes.computeIfAbsent(key.path(), path -> new Node(key, bound(key), null));
  }

  /** A node deriving from another one, made if there is none; another's node is given as it is. */
  Node derived(Key<?> key, Node base) {
    Node node = nodes.computeIfAbsent(key.path(), path -> new Node(key, bound(key), base));
    if (node.base == base) {
      base.derived.put(node.path, node);
    }
    return node;
  }

  /** All base nodes, ordered by path; a copy. */
  List<Node> bases() {
    return nodes.values().stream().filter(node -> node.base == null).toList();
  }

  /** All base nodes of a descriptor, ordered by path; a copy. */
  List<Node> bases(Bound<?, ?> bound) {
    return below(nodes, bound.descriptor().type().prefix()).values().stream()
        .filter(node -> node.base == null && node.bound == bound)
        .toList();
  }

  /** Whether a node has not been taken out meanwhile. */
  boolean holds(Node node) {
    return nodes.get(node.path) == node;
  }

  /** Takes a node out. */
  void drop(Node node) {
    relate(node, List.of());
    settle(node);
    nodes.remove(node.path);
    if (node.base != null) {
      node.base.derived.remove(node.path);
    }
  }

  /** To be told after every change of a node: keeps availability, and what readers must see. */
  void settle(Node node) {
    touched.add(node.root().path);
    touched.add(node.path);
    if (!holds(node)) {
      return; // it has been taken out, and another one may have its path
    }
    boolean is = node.available();
    boolean was = available.containsKey(node.path);
    if (is != was) {
      if (is) {
        available.put(node.path, node);
      } else {
        available.remove(node.path);
      }
      for (Node dependent : dependents(node.path)) {
        if (!dependent.available()) { // what it waits for has changed
          touched.add(dependent.root().path);
          touched.add(dependent.path);
        }
      }
    }
  }

  /** Paths changed since the last call. */
  List<String> takeTouched() {
    List<String> paths = List.copyOf(touched);
    touched.clear();
    return paths;
  }

  /** Replaces what a node needs. */
  void relate(Node node, List<Dependency> needs) {
    if (node.needs.equals(needs)) {
      return;
    }
    node.needs.forEach(need -> unlink(node, need));
    node.needs = List.copyOf(needs);
    node.needs.forEach(need -> link(node, need));
  }

  private void link(Node node, Dependency need) {
    if (need instanceof Dependency.On on) {
      exact.computeIfAbsent(on.key(), k -> new TreeMap<>()).put(node.path, node);
    } else if (need instanceof Dependency.AnyOf any) {
      for (String prefix : any.prefixes()) {
        anyOf
            .computeIfAbsent(prefix.length(), n -> new HashMap<>())
            .computeIfAbsent(prefix, k -> new TreeMap<>())
            .put(node.path, node);
      }
    }
  }

  private void unlink(Node node, Dependency need) {
    if (need instanceof Dependency.On on) {
      removeFrom(exact, on.key(), node);
    } else if (need instanceof Dependency.AnyOf any) {
      for (String prefix : any.prefixes()) {
        Map<String, TreeMap<String, Node>> sameLength = anyOf.get(prefix.length());
        if (sameLength != null) {
          removeFrom(sameLength, prefix, node);
          if (sameLength.isEmpty()) {
            anyOf.remove(prefix.length());
          }
        }
      }
    }
  }

  private static void removeFrom(
      Map<String, ? extends Map<String, Node>> index, String at, Node node) {
    Map<String, Node> sources = index.get(at);
    if (sources != null) {
      sources.remove(node.path);
      if (sources.isEmpty()) {
        index.remove(at);
      }
    }
  }

  /** Who needs this path, ordered by path; a copy. */
  List<Node> dependents(String path) {
    TreeMap<String, Node> found = new TreeMap<>();
    TreeMap<String, Node> direct = exact.get(path);
    if (direct != null) {
      found.putAll(direct);
    }
    for (Map.Entry<Integer, Map<String, TreeMap<String, Node>>> entry :
        anyOf.headMap(path.length(), true).entrySet()) {
      TreeMap<String, Node> sources = entry.getValue().get(path.substring(0, entry.getKey()));
      if (sources != null) {
        sources.forEach(
            (name, node) -> {
              if (node.needs.stream().anyMatch(need -> targets(need, path))) {
                found.put(name, node);
              }
            });
      }
    }
    return new ArrayList<>(found.values());
  }

  /** Whether the dependency is met by what is available. */
  boolean met(Dependency need) {
    if (need instanceof Dependency.On on) {
      return available.containsKey(on.key());
    }
    Dependency.AnyOf any = (Dependency.AnyOf) need;
    for (String prefix : any.prefixes()) {
      for (String path : below(available, prefix).keySet()) {
        if (passes(any, path)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Nodes of any kind that would meet the dependency, were they available. */
  List<Node> candidates(Dependency need) {
    List<Node> found = new ArrayList<>();
    if (need instanceof Dependency.On on) {
      Node node = nodes.get(on.key());
      if (node != null) {
        found.add(node);
      }
    } else if (need instanceof Dependency.AnyOf any) {
      for (String prefix : any.prefixes()) {
        below(nodes, prefix)
            .forEach(
                (path, node) -> {
                  if (passes(any, path)) {
                    found.add(node);
                  }
                });
      }
    }
    return found;
  }

  /** A filter that throws takes nothing: its value stays pending, and says for what it waits. */
  private static boolean passes(Dependency.AnyOf any, String path) {
    try {
      return any.filter().test(path);
    } catch (RuntimeException | Error thrown) {
      LOG.warn("the filter of dependency {} fails for {}", any.label(), path, thrown);
      return false;
    }
  }

  static boolean targets(Dependency need, String path) {
    if (need instanceof Dependency.On on) {
      return on.key().equals(path);
    }
    Dependency.AnyOf any = (Dependency.AnyOf) need;
    return any.prefixes().stream().anyMatch(path::startsWith) && passes(any, path);
  }

  private static SortedMap<String, Node> below(NavigableMap<String, Node> map, String prefix) {
    return prefix.isEmpty() ? map : map.subMap(prefix, true, prefix + Character.MAX_VALUE, false);
  }
}
