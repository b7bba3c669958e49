package dev.evenkeel.txn.engine;

import dev.evenkeel.txn.engine.Transaction.Wish;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Wishes in the order of rule 18: deletes, re-creations, creates, updates, each by path.
 *
 * <p>A wish for what is so already is not even put in: nothing is sorted, kept or recorded for it,
 * so that a resync of many unchanged values costs one look at each. Its node is marked. Should the
 * transaction touch it before its turn, it gets its turn after all; hence the order is the same as
 * if all had been put in.
 */
final class Order {
  private static final Comparator<Wish> BY_PATH = Comparator.comparing(wish -> wish.key().path());

  private static final int GROUPS = 4;

  /** Most have none; nothing is put into this one. */
  private static final TreeMap<String, Wish> UNDISTURBED = new TreeMap<>();

  /** Added to the mark of a node that is as it is wished. */
  private static final int MET = 1;

  /** The same, when nobody wishes anything new of it. */
  private static final int KEPT = 2;

  private final Work work;
  private final Graph graph;
  private final long pass;
  private final List<Wish> changes = new ArrayList<>();
  private TreeMap<String, Wish> disturbed = UNDISTURBED;
  private @Nullable Wish latest;
  private int bases;
  private Wish[] ordered = {};

  /** Where in it the updates begin. */
  private int updates;

  private int at;

  Order(Work work) {
    this.work = work;
    this.graph = work.graph;
    this.pass = graph.nextPass();
  }

  /** Whether every base value that there is has been wished something. */
  boolean hasAll() {
    return bases == graph.count();
  }

  /** Whether a node has been wished something. */
  boolean has(Node node) {
    return node.seen >= pass;
  }

  /** Puts a wish in; of two for a key the last one counts. Before {@link #sort}. */
  void add(Wish wish) {
    Node node = graph.peek(wish.key().path());
    if (node != null) {
      boolean first = !has(node);
      boolean met = first && isMet(wish, node);
      bases += first && node.base == null ? 1 : 0;
      node.seen = !met ? pass : wish.visitOnly() ? pass + KEPT : pass + MET;
      if (met) {
        return;
      }
    }
    changes.add(wish);
  }

  private boolean isMet(Wish wish, Node node) {
    Object wanted = wish.value();
    boolean so =
        wanted != null
            && (wish.visitOnly()
                || (node.owner.equals(wish.owner()) && node.retry.equals(wish.retry())))
            && Met.is(graph, node, wanted)
            && !work.frozen.test(node.path);
    if (so && !work.dry) {
      Met.confirm(graph, node);
    }
    return so;
  }

  /** No more will be put in. */
  void sort() {
    changes.sort(BY_PATH);
    int[] from = new int[GROUPS + 1];
    int[] groups = new int[changes.size()];
    for (int i = 0; i < groups.length; i++) {
      groups[i] = isLast(i) ? group(changes.get(i)) : -1;
      if (groups[i] >= 0) {
        from[groups[i] + 1]++;
      }
    }
    for (int group = 1; group <= GROUPS; group++) {
      from[group] += from[group - 1];
    }
    updates = from[GROUPS - 1];
    ordered = new Wish[from[GROUPS]];
    for (int i = 0; i < groups.length; i++) {
      if (groups[i] >= 0) {
        ordered[from[groups[i]]++] = changes.get(i);
      }
    }
    changes.clear();
  }

  private boolean isLast(int i) {
    return i + 1 == changes.size() || BY_PATH.compare(changes.get(i), changes.get(i + 1)) != 0;
  }

  private int group(Wish wish) {
    Node node = graph.find(wish.key().path());
    Object value = wish.value();
    if (value == null) {
      return 0;
    }
    if (node == null || !node.available() || node.applied == null) {
      return 2;
    }
    return node.bound != null && node.bound.replaces(node, value) ? 1 : 3;
  }

  /** A node has been changed: if it was passed over, and its turn has not come, it gets one. */
  void touched(Node root) {
    if (root.seen != pass + MET && root.seen != pass + KEPT) {
      return;
    }
    boolean visitOnly = root.seen == pass + KEPT;
    root.seen = pass;
    Object wanted = root.desired;
    if (wanted != null && (latest == null || latest.key().path().compareTo(root.path) < 0)) {
      disturbed = disturbed.isEmpty() ? new TreeMap<>() : disturbed;
      disturbed.put(root.path, new Wish(root.key, wanted, root.owner, root.retry, visitOnly));
    }
  }

  /** The next one; nothing when all have been given. */
  @Nullable Wish next() {
    if (at < updates) {
      return ordered[at++];
    }
    Wish planned = at < ordered.length ? ordered[at] : null;
    Map.Entry<String, Wish> other = disturbed.isEmpty() ? null : disturbed.firstEntry();
    if (other != null && (planned == null || other.getKey().compareTo(planned.key().path()) < 0)) {
      disturbed.remove(other.getKey());
      latest = other.getValue();
    } else {
      at++;
      latest = planned;
    }
    return latest;
  }

  /** Those that have not been given. */
  List<Wish> rest() {
    return Arrays.asList(ordered).subList(Math.min(at, ordered.length), ordered.length);
  }
}
