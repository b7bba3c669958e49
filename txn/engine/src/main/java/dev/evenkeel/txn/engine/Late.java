package dev.evenkeel.txn.engine;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.api.txn.ValueState;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A descriptor has come late. Base values that waited for it are applied; derived values that were
 * only properties are made, and whatever relied on one that cannot be is taken away.
 */
final class Late {
  private final Work work;
  private final Transaction transaction;
  private final Bound<?, ?> bound;
  private final List<Node> bases = new ArrayList<>();
  private final List<Node> properties = new ArrayList<>();

  Late(Work work, Transaction transaction, Bound<?, ?> bound) {
    this.work = work;
    this.transaction = transaction;
    this.bound = bound;
    for (Node node : work.graph.describe(bound)) {
      if (node.base == null) {
        bases.add(node);
      } else {
        properties.add(node);
        node.absent();
      }
      work.graph.settle(node);
    }
  }

  /**
   * What there is to do.
   *
   * @param retrieve ask first what is there
   */
  List<Runnable> tasks(boolean retrieve) {
    List<Runnable> tasks = new ArrayList<>();
    if (retrieve && bound.retrieves()) {
      tasks.add(() -> transaction.refresh().all(bound, wanted()));
    }
    bases.forEach(node -> tasks.add(() -> implement(node)));
    Set<Node> roots = new LinkedHashSet<>();
    properties.forEach(node -> roots.add(node.root()));
    roots.forEach(root -> tasks.add(() -> transaction.revisit(root)));
    properties.forEach(node -> tasks.add(() -> transaction.values().follow(node)));
    return tasks;
  }

  private SortedMap<String, KeyedValue<?>> wanted() {
    TreeMap<String, KeyedValue<?>> wanted = new TreeMap<>();
    for (Node node : bases) {
      Object value = node.desired;
      if (value != null && bound.accepts(node.key, value)) {
        wanted.put(node.path, keyed(node, value));
      }
    }
    return wanted;
  }

  @SuppressWarnings("unchecked") // the value is of the key's type: the descriptor accepts it
  private static KeyedValue<?> keyed(Node node, Object value) {
    return new KeyedValue<>((Key<Object>) node.key, value);
  }

  private void implement(Node node) {
    Object wanted = node.desired;
    if (!work.graph.holds(node) || wanted == null || work.leave(node)) {
      return;
    }
    ValueState before =
        node.applied == null && !bound.unknown ? ValueState.UNIMPLEMENTED : node.state();
    work.graph.settle(node); // that its descriptor could not be asked is seen, too
    node.last = node.available() ? ValueOperation.UPDATE : ValueOperation.CREATE;
    transaction.values().quiet = false;
    transaction.values().apply(node, wanted, before, false, new Values.Result());
  }
}
