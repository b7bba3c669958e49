package dev.evenkeel.api.txn;

import dev.evenkeel.api.Experimental;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The values and their relations as one transaction left them. Implemented by Evenkeel; immutable,
 * any thread, never blocks. It shares what has not changed with the snapshots before and after it,
 * and keeps that alive as long as it is held. Filters of any-of dependencies are called on the
 * reader's thread: they are pure.
 */
@Experimental("new")
public interface GraphSnapshot {
  /** Number of the transaction that left it. */
  long transaction();

  /** When that one began, by the clock of whoever drives the engine. */
  Instant time();

  /** One value; absent when the graph does not hold it. In O(log n), and what it needs. */
  Optional<GraphNode> node(String key);

  /** Visits all values whose path starts with the prefix, ordered by path. */
  void forEach(String prefix, Consumer<GraphNode> visitor);

  /** All values whose path starts with the prefix, ordered by path; a new list. */
  default List<GraphNode> nodes(String prefix) {
    List<GraphNode> nodes = new ArrayList<>();
    forEach(prefix, nodes::add);
    return nodes;
  }
}
