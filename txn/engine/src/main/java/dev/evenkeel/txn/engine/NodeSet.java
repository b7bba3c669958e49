package dev.evenkeel.txn.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Some nodes, ordered by path. Nearly always one alone, which then costs next to nothing. */
final class NodeSet {
  /** None; nobody adds to it. */
  static final NodeSet NONE = new NodeSet();

  private @Nullable Node one;
  private @Nullable TreeMap<String, Node> more;

  /** Adds a node; false when it was there. */
  boolean add(Node node) {
    if (more != null) {
      return more.put(node.path, node) != node;
    }
    Node there = one;
    if (there == null || there.path.equals(node.path)) {
      one = node;
      return there != node;
    }
    more = new TreeMap<>();
    more.put(there.path, there);
    more.put(node.path, node);
    one = null;
    return true;
  }

  /** Takes a node out; false when it was not there. */
  boolean remove(Node node) {
    if (more != null) {
      return more.remove(node.path, node);
    }
    boolean was = one == node;
    one = was ? null : one;
    return was;
  }

  boolean isEmpty() {
    return one == null && (more == null || more.isEmpty());
  }

  /** All of them; not a copy. */
  Collection<Node> values() {
    Node alone = one;
    return more != null ? more.values() : alone == null ? List.of() : List.of(alone);
  }

  /** All of them; a copy. */
  List<Node> list() {
    return more != null ? new ArrayList<>(more.values()) : List.copyOf(values());
  }

  /** Their paths; a copy. */
  List<String> paths() {
    Node alone = one;
    return more != null
        ? List.copyOf(more.keySet())
        : alone == null ? List.of() : List.of(alone.path);
  }

  boolean all(Predicate<Node> test) {
    if (more == null) {
      return one == null || test.test(one);
    }
    for (Node node : more.values()) {
      if (!test.test(node)) {
        return false;
      }
    }
    return true;
  }
}
