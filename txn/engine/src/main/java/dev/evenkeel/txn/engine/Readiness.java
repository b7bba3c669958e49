package dev.evenkeel.txn.engine;

import dev.evenkeel.api.txn.Dependency;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Whether a value may be applied: all its dependencies are met, or it stands in a cycle of values
 * that wait for each other and for nothing else (rule 32).
 */
final class Readiness {
  private final Graph graph;
  private final Predicate<Node> applicable;

  /** The predicate tells whether a node that is not available could be applied now. */
  Readiness(Graph graph, Predicate<Node> applicable) {
    this.graph = graph;
    this.applicable = applicable;
  }

  boolean ready(Node node, List<Dependency> needs) {
    boolean met = true;
    for (Dependency need : needs) {
      if (!graph.met(need)) {
        if (need instanceof Dependency.On on && graph.isFree(on.key())) {
          return false; // it waits for something that nobody wants
        }
        met = false;
      }
    }
    return met || inReadyCycle(node, needs);
  }

  private boolean inReadyCycle(Node start, List<Dependency> startNeeds) {
    Map<Node, List<Node>> reached = reach(start, startNeeds);
    Set<Node> circle = backwards(start, reached);
    if (circle.size() == 1 && !reached.getOrDefault(start, List.of()).contains(start)) {
      return false;
    }
    for (Node member : circle) {
      for (Dependency need : member == start ? startNeeds : member.needs) {
        if (!graph.met(need)
            && circle.stream().noneMatch(other -> Graph.targets(need, other.path))) {
          return false;
        }
      }
    }
    return true;
  }

  /** Everything reached over unmet dependencies, each with what it waits for. */
  private Map<Node, List<Node>> reach(Node start, List<Dependency> startNeeds) {
    Map<Node, List<Node>> reached = new LinkedHashMap<>();
    ArrayDeque<Node> open = new ArrayDeque<>();
    open.add(start);
    while (!open.isEmpty()) {
      Node node = open.poll();
      if (reached.containsKey(node)) {
        continue;
      }
      List<Node> waitsFor =
          (node == start ? startNeeds : node.needs)
              .stream().flatMap(need -> unmet(need, start).stream()).toList();
      reached.put(node, waitsFor);
      open.addAll(waitsFor);
    }
    return reached;
  }

  /** What a dependency waits for; the start counts as not there, also when it is. */
  private List<Node> unmet(Dependency need, Node start) {
    if (graph.met(need)) {
      return Graph.targets(need, start.path) ? List.of(start) : List.of();
    }
    return graph.candidates(need).stream()
        .filter(target -> target == start || applicable.test(target))
        .toList();
  }

  /** Those reached that lead back to the start. */
  private static Set<Node> backwards(Node start, Map<Node, List<Node>> reached) {
    Map<Node, Set<Node>> sources = new HashMap<>();
    reached.forEach(
        (from, targets) ->
            targets.forEach(to -> sources.computeIfAbsent(to, n -> new HashSet<>()).add(from)));
    Set<Node> circle = new HashSet<>();
    ArrayDeque<Node> open = new ArrayDeque<>(List.of(start));
    while (!open.isEmpty()) {
      Node node = open.poll();
      if (circle.add(node)) {
        open.addAll(sources.getOrDefault(node, Set.of()));
      }
    }
    return circle;
  }
}
