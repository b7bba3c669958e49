package dev.evenkeel.txn.engine;

import dev.evenkeel.api.txn.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What of one transaction is to be tried again, and what it tries again itself. The policy is that
 * of the base value which did not become what it should, never that of the transaction in which it
 * failed (TW-6). Loop thread only.
 */
final class Again {
  private final long number;
  private final Graph graph;
  private Map<RetryGroup.Id, RetryGroup> groups = Map.of();

  /** What this transaction tries again; absent for any other. */
  @Nullable RetryGroup retried;

  /** A failure will put everything back: it is not tried again by itself (rule 35). */
  boolean reverts;

  /** Everything is being put back: what fails now is (rule 36). */
  boolean reverting;

  Again(long number, Graph graph) {
    this.number = number;
    this.graph = graph;
  }

  /** Whether this transaction tries again to put back. */
  boolean retriesRevert() {
    return retried != null && retried.id.revert();
  }

  /**
   * A value has not become what it should.
   *
   * @param hopeless it is not worth trying again
   */
  void failed(Node node, boolean hopeless) {
    Node root = node.root();
    RetryGroup before = root.plan;
    if (hopeless || (before != null && groups.get(before.id) == before)) {
      return;
    }
    root.plan = null;
    RetryPolicy policy = root.retry.orElse(null);
    if (policy != null && (!reverts || reverting)) {
      plan(root, policy, before);
    }
    if (before != root.plan) {
      root.derived.values().forEach(graph::touch); // their states may follow
    }
    graph.settle(root);
  }

  private void plan(Node root, RetryPolicy policy, @Nullable RetryGroup before) {
    RetryGroup now = retried;
    RetryGroup ofThis = now != null && now.members.get(root.path) == root ? now : null;
    RetryGroup former = ofThis != null ? ofThis : now != null ? before : null;
    int attempt = former == null ? 1 : former.id.attempt() + 1;
    if (policy.attempts() > 0 && attempt > policy.attempts()) {
      return; // exhausted
    }
    RetryGroup.Id id =
        new RetryGroup.Id(
            former == null ? number : former.id.original(),
            delay(policy, attempt),
            attempt,
            reverting || (former != null && former.id.revert()));
    groups = groups.isEmpty() ? new LinkedHashMap<>() : groups;
    groups.computeIfAbsent(id, RetryGroup::new).add(root);
  }

  /** Before attempt k: {@code first * factor^(k-1)}, at most the cap (rule 38). */
  static Duration delay(RetryPolicy policy, int attempt) {
    double first = policy.first().toNanos();
    double nanos = first * Math.pow(policy.factor(), attempt - 1);
    double cap = policy.cap().toNanos();
    return nanos < cap ? Duration.ofNanos(Math.round(nanos)) : policy.cap();
  }

  /**
   * The transaction is over: what is planned. Of what it was to try again, and could not because
   * something has hung, the rest waits on.
   */
  List<RetryGroup> ended(boolean unfinished) {
    if (groups.isEmpty() && retried == null) {
      return List.of();
    }
    List<RetryGroup> planned = new ArrayList<>();
    for (RetryGroup group : groups.values()) {
      group.members.values().removeIf(root -> root.plan != group);
      group.stale = unfinished;
      if (group.anyLive(graph)) {
        planned.add(group);
      } else {
        group.forget(graph);
      }
    }
    RetryGroup now = retried;
    if (now != null) {
      List<Node> left = unfinished ? now.live(graph) : List.of();
      now.forget(graph);
      if (!left.isEmpty()) {
        RetryGroup rest = new RetryGroup(now.id);
        left.forEach(rest::add);
        rest.due = now.due;
        rest.stale = true;
        planned.add(rest);
      }
    }
    return planned;
  }
}
