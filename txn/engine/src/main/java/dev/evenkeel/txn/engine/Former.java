package dev.evenkeel.txn.engine;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.txn.InvalidField;
import dev.evenkeel.api.txn.Origin;
import dev.evenkeel.api.txn.RetryPolicy;
import dev.evenkeel.api.txn.ValueOperation;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a node was before a transaction touched it: what a revert brings back. */
record Former(
    Node node,
    @Nullable Object desired,
    @Nullable Object applied,
    Origin origin,
    boolean discovered,
    String owner,
    Optional<RetryPolicy> retry,
    ValueOperation last,
    List<InvalidField> invalid,
    @Nullable Failure failure,
    boolean hopeless,
    @Nullable RetryGroup plan) {
  static Former of(Node node) {
    return new Former(
        node,
        node.desired,
        node.applied,
        node.origin,
        node.discovered,
        node.owner,
        node.retry,
        node.last,
        node.invalid,
        node.failure,
        node.hopeless,
        node.plan);
  }

  /**
   * What is to be applied again; nothing when it was not, and was not wanted to be. A wish that had
   * failed is not tried again: what was there instead comes back.
   */
  @Nullable Object value() {
    return desired != null && invalid.isEmpty() && failure == null ? desired : applied;
  }

  /** Puts the wish back. */
  void restoreWish(Node to) {
    to.desired = desired;
    to.owner = owner;
    to.retry = retry;
  }

  /** Puts the rest back, once the value has been applied again. */
  void restoreMarks(Graph graph, Node to) {
    to.invalid = invalid;
    if (failure != null) {
      to.failure = failure;
      to.hopeless = hopeless;
    }
    if (to.plan == null) {
      to.plan = plan; // in which nothing is tried that has been mended
    }
    if (to.applied != null && desired == null) {
      to.origin = origin;
      for (Node child : to.derived.values()) {
        graph.keep(child);
        child.origin = origin;
        graph.settle(child);
      }
      to.discovered = discovered;
      to.last = last;
    }
  }
}
