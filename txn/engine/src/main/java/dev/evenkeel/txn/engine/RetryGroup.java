package dev.evenkeel.txn.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Base values that are tried again in one transaction: they failed for the same original
 * transaction, wait equally long, and for the same attempt (rule 39). Loop thread only.
 *
 * <p>A node points at the group that it waits in; one that does not any more has been touched since
 * and is obsolete here (rule 40).
 */
final class RetryGroup {
  /** What makes values be tried again together. */
  record Id(long original, Duration delay, int attempt, boolean revert) {}

  final Id id;

  /** In the order of their paths. */
  final TreeMap<String, Node> members = new TreeMap<>();

  /** Numbered in the order in which they were planned. */
  long number;

  /** Absent until the first look at the clock after the transaction. */
  Instant due = Instant.MAX;

  /** The outside could not be asked after the failure: that is made up for first. */
  boolean stale;

  /** It was due once, and everything in it was hung or frozen. */
  boolean held;

  RetryGroup(Id id) {
    this.id = id;
  }

  void add(Node root) {
    members.put(root.path, root);
    root.plan = this;
  }

  /** Nothing waits here any more. */
  void forget(Graph graph) {
    for (Node root : members.values()) {
      if (root.plan == this) {
        graph.keep(root);
        root.plan = null;
        graph.settle(root);
        root.derived.values().forEach(graph::touch);
      }
    }
  }

  /** Those that nothing has touched since, and that still are not what they should be. */
  List<Node> live(Graph graph) {
    List<Node> live = new ArrayList<>();
    for (Node root : members.values()) {
      if (isLive(root, graph)) {
        live.add(root);
      }
    }
    return live;
  }

  boolean anyLive(Graph graph) {
    return members.values().stream().anyMatch(root -> isLive(root, graph));
  }

  private boolean isLive(Node root, Graph graph) {
    return root.plan == this && graph.holds(root) && root.unmet();
  }

  @Override
  public String toString() {
    return "attempt " + id.attempt() + " for " + id.original() + ": " + members.size() + " values";
  }
}
