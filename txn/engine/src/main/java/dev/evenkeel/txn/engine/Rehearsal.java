package dev.evenkeel.txn.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;

/** What a dry run has touched, as it was before: what it changes is taken back by it. */
final class Rehearsal {
  private final IdentityHashMap<Node, Boolean> known = new IdentityHashMap<>();
  private final List<Kept> kept = new ArrayList<>();
  private final List<Node> made = new ArrayList<>();
  private final List<KeptBound> bounds = new ArrayList<>();

  /**
   * One node.
   *
   * @param held whether it was in the graph
   * @param former a copy of what it was
   */
  record Kept(Node node, boolean held, Node former) {}

  private record KeptBound(Bound<?, ?> bound, boolean unknown, boolean retrieved) {}

  Rehearsal(Collection<Bound<?, ?>> all) {
    all.forEach(bound -> bounds.add(new KeptBound(bound, bound.unknown, bound.retrieved)));
  }

  /** A node is about to be looked at, and perhaps changed. */
  void keep(Node node) {
    if (known.putIfAbsent(node, true) == null) {
      kept.add(new Kept(node, node.held, node.copy()));
    }
  }

  /** A node has been made. */
  void made(Node node) {
    known.put(node, true);
    made.add(node);
  }

  /** Nothing may be changed that has not been kept. */
  void check(Node node) {
    if (!known.containsKey(node)) {
      throw new IllegalStateException("changed without being kept: " + node.path);
    }
  }

  List<Kept> kept() {
    return kept;
  }

  List<Node> made() {
    return made;
  }

  /** What retrieves have told of the descriptors is forgotten; that one hangs is not. */
  void restoreBounds() {
    for (KeptBound one : bounds) {
      one.bound().unknown = one.unknown();
      one.bound().retrieved = one.retrieved();
    }
  }
}
