package dev.evenkeel.txn.engine;

import dev.evenkeel.api.txn.Dependency;
import dev.evenkeel.api.txn.InvalidField;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.api.txn.ValueStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the next snapshot out of the last one and the nodes that have changed. */
final class Publisher {
  private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);

  private final Graph graph;
  private PathMap<Snapshot.Entry> entries = PathMap.empty();
  private PathMap<String> index = PathMap.empty();
  private int changed;

  Publisher(Graph graph) {
    this.graph = graph;
  }

  /** How many values the last publication was about. */
  int changed() {
    return changed;
  }

  /**
   * The next snapshot.
   *
   * @param began when the transaction began; absent when no history is kept
   */
  Snapshot publish(long number, @Nullable Instant began) {
    List<String> touched = graph.takeTouched();
    changed = touched.size();
    for (String path : touched) {
      Node node = graph.find(path);
      Snapshot.Entry old = entries.get(path);
      List<String> gone = old == null ? List.of() : old.indexed();
      List<String> come = node == null ? List.of() : indexed(node);
      if (!gone.equals(come)) {
        for (String at : gone) {
          index = index.remove(at);
        }
        for (String at : come) {
          index = index.put(at, path);
        }
      }
      entries =
          node == null
              ? entries.remove(path)
              : entries.put(
                  path,
                  new Snapshot.Entry(
                      node.key,
                      node.base == null,
                      status(node),
                      node.desired,
                      node.applied,
                      node.base == null ? node.metadata : null,
                      come,
                      began == null ? null : Facts.of(node, number, began)));
    }
    return new Snapshot(entries, index);
  }

  private List<String> indexed(Node node) {
    Bound<?, ?> bound = node.bound;
    Object metadata = node.metadata;
    if (bound == null || metadata == null || node.base != null) {
      return List.of();
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
    return paths;
  }

  private ValueStatus status(Node node) {
    List<ValueStatus> derived = new ArrayList<>();
    node.derived.values().forEach(child -> derived.add(status(child)));
    return new ValueStatus(
        node.path,
        node.state(),
        node.last,
        Optional.ofNullable(node.failure == null ? node.inherited : node.failure),
        details(node),
        derived);
  }

  private List<String> details(Node node) {
    if (!node.invalid.isEmpty()) {
      return node.invalid.stream().map(InvalidField::field).toList();
    }
    if (node.state() != ValueState.PENDING) {
      return List.of();
    }
    return node.needs.stream().filter(need -> !graph.met(need)).map(Dependency::label).toList();
  }
}
