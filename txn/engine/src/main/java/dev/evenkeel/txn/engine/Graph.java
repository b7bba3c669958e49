package dev.evenkeel.txn.engine;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.txn.Dependency;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All nodes, and who depends on which path. A path is found by its hash; an exact dependency by its
 * target; an any-of one is looked at only when its {@link AnyOfs witness} comes or goes. What has
 * to be ordered is read from the entries that are made for readers anyway, brought up to date
 * first. So a change costs what it concerns, and O(log n) for its entry. Loop thread only.
 */
final class Graph {
  private final Map<KeyType<?>, Bound<?, ?>> byType = new HashMap<>();
  private final HashMap<String, Node> nodes = new HashMap<>();

  /** Who needs exactly a path that has no node. */
  private final HashMap<String, NodeSet> orphans = new HashMap<>();

  private final Publisher publisher = new Publisher(this);
  private final AnyOfs anyOf = new AnyOfs(new Targets());
  private @Nullable Rehearsal rehearsal;
  private @Nullable Order order;
  private long passes;
  private int bases;

  Graph(Collection<Bound<?, ?>> bounds) {
    bounds.forEach(bound -> byType.put(bound.descriptor().type(), bound));
  }

  @Nullable Bound<?, ?> bound(Key<?> key) {
    return byType.get(key.type());
  }

  @Nullable Node find(String path) {
    Node node = nodes.get(path);
    return node == null ? null : mine(node);
  }

  /** A node that is only looked at, not changed. */
  @Nullable Node peek(String path) {
    return nodes.get(path);
  }

  /** The base node of a key, made if there is none. */
  Node base(Key<?> key) {
    Node node = nodes.get(key.path());
    return node == null ? add(new Node(key, bound(key), null)) : mine(node);
  }

  /** A node deriving from another one, made if there is none; another's node is given as it is. */
  Node derived(Key<?> key, Node base) {
    Node there = nodes.get(key.path());
    Node node = there == null ? add(new Node(key, bound(key), base)) : mine(there);
    if (node.base == base && base.adopt(node)) {
      touch(base);
    }
    return node;
  }

  private Node add(Node node) {
    hold(node);
    if (rehearsal != null) {
      rehearsal.made(node);
    }
    return node;
  }

  /** A node comes: those that need exactly it are its own affair from now on. */
  private void hold(Node node) {
    nodes.put(node.path, node);
    node.held = true;
    bases += node.base == null ? 1 : 0;
    NodeSet waiting = orphans.isEmpty() ? null : orphans.remove(node.path);
    if (waiting != null) {
      node.dependents = waiting;
    }
  }

  /** A node about to be given out: in a rehearsal it is remembered as it is. */
  private Node mine(Node node) {
    keep(node);
    return node;
  }

  /** A node is about to be changed that was not asked for by path. */
  void keep(Node node) {
    if (rehearsal != null) {
      rehearsal.keep(node);
    }
  }

  /** Whether no node has this path. */
  boolean isFree(String path) {
    return !nodes.containsKey(path);
  }

  /** Every node, in no order: for what does not depend on one. */
  void forEach(Consumer<Node> visitor) {
    nodes.values().forEach(visitor);
  }

  /** How many base nodes there are. */
  int count() {
    return bases;
  }

  /** All base nodes, ordered by path; a copy. */
  List<Node> bases() {
    return below("", null);
  }

  /** All base nodes of a descriptor, ordered by path; a copy. */
  List<Node> bases(Bound<?, ?> bound) {
    return below(bound.descriptor().type().prefix(), bound);
  }

  private List<Node> below(String prefix, @Nullable Bound<?, ?> bound) {
    List<Node> found = new ArrayList<>();
    publisher
        .ordered()
        .any(
            prefix,
            (path, entry) -> {
              Node node = find(path);
              if (node != null && node.base == null && (bound == null || node.bound == bound)) {
                found.add(node);
              }
              return false;
            });
    return found;
  }

  /** A descriptor has come late: the nodes that it describes from now on, ordered by path. */
  List<Node> describe(Bound<?, ?> bound) {
    KeyType<?> type = bound.descriptor().type();
    byType.put(type, bound);
    List<Node> found = new ArrayList<>();
    publisher
        .ordered()
        .any(
            type.prefix(),
            (path, entry) -> {
              Node node = find(path);
              if (node != null && node.key.type().equals(type)) {
                node.bound = bound;
                found.add(node);
              }
              return false;
            });
    return found;
  }

  /** Whether a node has not been taken out meanwhile. */
  boolean holds(Node node) {
    keep(node);
    return node.held;
  }

  /** Takes a node out. */
  void drop(Node node) {
    relate(node, List.of());
    settle(node);
    if (node.counted) {
      node.counted = false;
      anyOf.left(node.path);
    }
    if (node.held) {
      nodes.remove(node.path);
      node.held = false;
      bases -= node.base == null ? 1 : 0;
      if (!node.dependents.isEmpty()) {
        orphans.put(node.path, node.dependents);
      }
      node.dependents = NodeSet.NONE;
    }
    if (node.base != null && node.base.disown(node)) {
      touch(node.base);
    }
  }

  /** To be told after every change of a node: keeps availability, and what readers must see. */
  void settle(Node node) {
    publisher.touch(node);
    if (order != null) {
      order.touched(node.root());
    }
    if (!node.held) {
      return; // it has been taken out, and another one may have its path
    }
    if (rehearsal != null) {
      rehearsal.check(node);
    }
    boolean is = node.available();
    if (is != node.counted) {
      node.counted = is;
      if (is) {
        anyOf.arrived(node.path);
      } else {
        anyOf.left(node.path);
      }
    }
  }

  /** Something that readers see has changed, but nothing that others rely on. */
  void touch(Node node) {
    keep(node);
    publisher.touch(node);
  }

  /** The mark of a new pass over many nodes, for {@link Node#seen}; the two after it are free. */
  long nextPass() {
    passes += 3;
    return passes;
  }

  /** Whose wishes are being gone through, to be told what is changed meanwhile; or nobody's. */
  void follow(@Nullable Order current) {
    order = current;
  }

  Publisher publisher() {
    return publisher;
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
      Node target = nodes.get(on.key());
      if (target == null) {
        orphans.computeIfAbsent(on.key(), k -> new NodeSet()).add(node);
      } else {
        if (target.dependents == NodeSet.NONE) {
          target.dependents = new NodeSet();
        }
        target.dependents.add(node);
      }
    } else if (need instanceof Dependency.AnyOf any) {
      anyOf.link(node, any);
    }
  }

  private void unlink(Node node, Dependency need) {
    if (need instanceof Dependency.On on) {
      Node target = nodes.get(on.key());
      NodeSet sources = target == null ? orphans.get(on.key()) : target.dependents;
      if (sources != null && sources.remove(node) && sources.isEmpty()) {
        if (target == null) {
          orphans.remove(on.key());
        } else {
          target.dependents = NodeSet.NONE;
        }
      }
    } else if (need instanceof Dependency.AnyOf any) {
      anyOf.unlink(node, any);
    }
  }

  /**
   * Whose readiness hangs on this path, ordered by path; a copy. That is who needs it, but for
   * any-of dependencies which another target meets.
   */
  List<Node> dependents(String path) {
    Node target = nodes.get(path);
    NodeSet direct = target == null ? orphans.get(path) : target.dependents;
    List<Node> found = direct == null ? List.of() : direct.list();
    if (!anyOf.isEmpty()) {
      TreeMap<String, Node> all = new TreeMap<>();
      anyOf.collect(path, all);
      if (!all.isEmpty()) {
        found.forEach(node -> all.put(node.path, node));
        found = new ArrayList<>(all.values());
      }
    }
    if (rehearsal != null) {
      found.forEach(rehearsal::keep);
    }
    return found;
  }

  /** Whether the dependency is met by what is available. */
  boolean met(Dependency need) {
    return need instanceof Dependency.On on
        ? available(on.key())
        : anyOf.met((Dependency.AnyOf) need);
  }

  private boolean available(String path) {
    Node node = nodes.get(path);
    return node != null && node.available();
  }

  /** Nodes of any kind that would meet the dependency, were they available. */
  List<Node> candidates(Dependency need) {
    List<Node> found = new ArrayList<>();
    if (need instanceof Dependency.On on) {
      Node node = find(on.key());
      if (node != null) {
        found.add(node);
      }
    } else if (need instanceof Dependency.AnyOf any) {
      for (String prefix : any.prefixes()) {
        publisher
            .ordered()
            .any(
                prefix,
                (path, entry) -> {
                  Node node = AnyOfs.passes(any, path) ? find(path) : null;
                  if (node != null) {
                    found.add(node);
                  }
                  return false;
                });
      }
    }
    return found;
  }

  static boolean targets(Dependency need, String path) {
    if (need instanceof Dependency.On on) {
      return on.key().equals(path);
    }
    Dependency.AnyOf any = (Dependency.AnyOf) need;
    for (String prefix : any.prefixes()) {
      if (path.startsWith(prefix)) {
        return AnyOfs.passes(any, path);
      }
    }
    return false;
  }

  // ---- rehearsing ------------------------------------------------------------------------------

  /** From now on changes are remembered, so that {@link #forget} takes them all back. */
  void rehearse() {
    rehearsal = new Rehearsal(byType.values());
  }

  /** Takes back everything since {@link #rehearse}: costs what was touched. */
  void forget() {
    Rehearsal done = rehearsal;
    rehearsal = null;
    if (done != null) {
      for (Node made : done.made()) {
        if (made.held) {
          drop(made);
        }
      }
      done.kept().forEach(this::restore);
      done.kept().forEach(Graph::restoreShown); // entries may have been made on the way
      done.restoreBounds();
      publisher.forget();
    }
  }

  private void restore(Rehearsal.Kept kept) {
    Node node = kept.node();
    if (kept.held()) {
      if (!node.held) {
        hold(node);
      }
      if (node.base != null) {
        node.base.adopt(node);
      }
    }
    relate(node, kept.former().needs);
    node.take(kept.former());
    settle(node);
  }

  private static void restoreShown(Rehearsal.Kept kept) {
    kept.node().moved = kept.former().moved;
    kept.node().entry = kept.former().entry;
  }

  /** What any-of dependencies see. */
  private final class Targets implements AnyOfs.Targets {
    @Override
    public @Nullable String after(String path, String prefix) {
      return publisher.ordered().higher(path, prefix);
    }

    @Override
    public boolean available(String path) {
      return Graph.this.available(path);
    }
  }
}
