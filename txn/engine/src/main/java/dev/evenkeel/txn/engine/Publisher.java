package dev.evenkeel.txn.engine;

import dev.evenkeel.api.txn.ValueState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one entry per node, ordered by path, for readers. A node that has changed is only
 * remembered; its entry is made when the entries are looked at or given away.
 */
final class Publisher {
  private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);

  private final Graph graph;
  private final PathMap.Editor<Snapshot.Entry> entries = new PathMap.Editor<>();
  private final PathMap.Editor<String> index = new PathMap.Editor<>();
  private final List<Node> touched = new ArrayList<>();
  private Snapshot last = Snapshot.empty();
  private long number;
  private @Nullable Instant began;
  private int changed;

  /** Nothing has changed since the last one was published. */
  private boolean same;

  Publisher(Graph graph) {
    this.graph = graph;
  }

  /** The node has changed, has come or has gone. */
  void touch(Node node) {
    if (!node.touched) {
      node.touched = true;
      touched.add(node);
    }
  }

  /**
   * A transaction begins.
   *
   * @param start absent when no history is kept
   */
  void begin(long transaction, @Nullable Instant start) {
    number = transaction;
    began = start;
    changed = 0;
  }

  /** About how many values the transaction has changed. */
  int changed() {
    return changed;
  }

  /** What readers are to see from now on. */
  Snapshot publish() {
    flush();
    if (!same) {
      last = new Snapshot(entries.freeze(), index.freeze());
      same = true;
    }
    return last;
  }

  /** All nodes in order, as they are now; later changes do not reach them. */
  PathMap<Snapshot.Entry> frozen() {
    flush();
    return entries.freeze();
  }

  /** All nodes in order, as they are now. */
  PathMap.Editor<Snapshot.Entry> ordered() {
    flush();
    return entries;
  }

  /** Goes back to what was published last. */
  void forget() {
    for (Node node : touched) {
      node.touched = false;
    }
    touched.clear();
    entries.reset(last.entries());
    index.reset(last.index());
    same = true;
  }

  @SuppressWarnings("ReferenceEquality") // whether that one is there, not one like it
  private void flush() {
    for (int i = 0; i < touched.size(); i++) {
      Node node = touched.get(i);
      node.touched = false;
      Snapshot.Entry old = node.entry;
      if (node.held) {
        List<String> indexed = indexed(node, old);
        reindex(node.path, old, indexed);
        Snapshot.Entry made = entry(node, old, indexed);
        if (old == null || !old.shows(made) || entries.get(node.path) != old) {
          node.entry = made;
          entries.put(node.path, made);
          same = false;
        }
      } else if (old != null) {
        reindex(node.path, old, List.of());
        node.entry = null;
        if (graph.isFree(node.path)) {
          entries.remove(node.path);
        }
        same = false;
      }
    }
    changed += touched.size();
    touched.clear();
  }

  private void reindex(String path, Snapshot.@Nullable Entry old, List<String> come) {
    List<String> gone = old == null ? List.of() : old.indexed();
    if (gone.equals(come)) {
      return;
    }
    gone.forEach(index::remove);
    come.forEach(at -> index.put(at, path));
  }

  private Snapshot.Entry entry(Node node, Snapshot.@Nullable Entry old, List<String> indexed) {
    ValueState state = node.state();
    boolean invalid = !node.invalid.isEmpty();
    return new Snapshot.Entry(
        node.key,
        node.base == null,
        node.available(),
        state,
        node.last,
        children(node, old),
        node.desired,
        node.applied,
        node.base == null ? node.metadata : null,
        Snapshot.More.of(
            node.failure == null ? node.inherited : node.failure,
            node.invalid,
            state == ValueState.PENDING && !invalid ? node.needs : List.of(),
            indexed,
            began == null ? null : Facts.of(node, number, began)));
  }

  private static List<String> children(Node node, Snapshot.@Nullable Entry old) {
    if (old != null && !node.moved) {
      return old.children();
    }
    node.moved = false;
    return node.derived.paths();
  }

  private static List<String> indexed(Node node, Snapshot.@Nullable Entry old) {
    Bound<?, ?> bound = node.bound;
    Object metadata = node.metadata;
    if (bound == null || metadata == null || metadata == Bound.ASSUMED || node.base != null) {
      return List.of();
    }
    if (old != null && old.metadata() == metadata) {
      return old.indexed();
    }
    List<String> paths = new ArrayList<>();
    try {
      bound
          .index(node.key, metadata)
          .forEach(
              (name, values) ->
                  values.forEach(
                      value ->
                          paths.add(Snapshot.indexPath(bound.name(), name, value) + node.path)));
    } catch (RuntimeException | Error thrown) {
      LOG.warn("descriptor {} cannot index {}", bound.name(), node.path, thrown);
      return List.of();
    }
    return paths.isEmpty() ? List.of() : List.copyOf(paths);
  }
}
