package dev.evenkeel.txn.engine;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.txn.OperationRecord;
import dev.evenkeel.api.txn.Retriever;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Compares, at the end of a transaction, what it has touched with what the outside says (rule 62).
 * Only failures come of it: no value is changed, and nothing is put back. What is frozen, hangs or
 * cannot be retrieved is left alone.
 */
final class Verify {
  private final Work work;
  private final List<Bound<?, ?>> inOrder;
  private final Refresh refresh;

  /** Keys that something was wished of: they may have no node any more. */
  private final TreeMap<String, Key<?>> touched = new TreeMap<>();

  Verify(Work work, List<Bound<?, ?>> inOrder, Refresh refresh) {
    this.work = work;
    this.inOrder = inOrder;
    this.refresh = refresh;
  }

  void touched(Key<?> key) {
    touched.put(key.path(), key);
  }

  /** The last task of a transaction. */
  void begin() {
    for (OperationRecord operation : work.log.operations()) {
      Node node = work.graph.peek(operation.base());
      if (node != null) {
        touched.put(node.path, node.key);
      }
    }
    TreeMap<String, List<Key<?>>> byName = new TreeMap<>();
    for (Key<?> key : touched.values()) {
      Bound<?, ?> bound = work.graph.bound(key);
      if (bound != null && bound.retrieves() && !bound.hung && !bound.unknown && looksAt(key)) {
        byName.computeIfAbsent(bound.name(), name -> new ArrayList<>()).add(key);
      }
    }
    List<Runnable> tasks = new ArrayList<>();
    for (Bound<?, ?> bound : inOrder) {
      List<Key<?>> keys = byName.get(bound.name());
      if (keys != null) {
        tasks.add(() -> ask(bound, keys));
      }
    }
    work.agenda.next(tasks.toArray(Runnable[]::new));
  }

  private boolean looksAt(Key<?> key) {
    Node node = work.graph.peek(key.path());
    return !work.frozen.test(key.path())
        && (node == null || (node.base == null && !node.uncertain && !Refresh.hangs(node)));
  }

  private void ask(Bound<?, ?> bound, List<Key<?>> keys) {
    List<Retriever.Known<?, ?>> known = new ArrayList<>();
    for (Key<?> key : keys) {
      Node node = work.graph.peek(key.path());
      Object applied = node == null ? null : node.applied;
      if (node != null && applied != null) {
        known.add(bound.known(key, applied, node.metadata));
      }
    }
    refresh.ask(bound, known, keys, answer -> compare(bound, keys, answer));
  }

  private void compare(Bound<?, ?> bound, List<Key<?>> keys, List<?> answer) {
    TreeMap<String, Object> found = new TreeMap<>();
    for (Object one : answer) {
      Retriever.Found<?, ?> valid = Refresh.valid(bound, one);
      if (valid != null) {
        found.put(valid.key().path(), valid.value());
      }
    }
    for (Key<?> key : keys) {
      Node node = work.graph.peek(key.path());
      try {
        compare(bound, key, node, found.get(key.path()));
      } catch (RuntimeException thrown) {
        String owner = node == null ? Node.NOBODY : node.owner;
        work.log.add(Failure.of(owner, "verify", thrown).about(key.path(), key.path()));
      }
    }
  }

  private void compare(Bound<?, ?> bound, Key<?> key, @Nullable Node node, @Nullable Object found) {
    Object applied = node == null ? null : node.applied;
    if (node == null || applied == null) {
      if (found != null) {
        wrong(node, key, ErrorKind.ALREADY_EXISTS, "should not exist, but is there");
      }
      return;
    }
    if (found == null) {
      wrong(node, key, ErrorKind.NOT_FOUND, "should exist, but is not there");
    } else if (!bound.same(key, applied, found)) {
      wrong(node, key, ErrorKind.FAILED_PRECONDITION, "not equivalent to what is there");
    }
    SortedMap<String, KeyedValue<?>> derived =
        found == null ? new TreeMap<>() : bound.derived(key, found);
    for (Node child : node.derived.values()) {
      Object there = child.applied;
      if (there != null && !child.uncertain) {
        derived(child, there, derived.get(child.path));
      }
    }
  }

  private void derived(Node child, Object applied, @Nullable KeyedValue<?> found) {
    Bound<?, ?> bound = child.bound;
    if (found == null) {
      wrong(child, child.key, ErrorKind.NOT_FOUND, "should exist, but is not there");
    } else if (bound == null
        ? !applied.equals(found.value())
        : !bound.accepts(child.key, found.value())
            || !bound.same(child.key, applied, found.value())) {
      wrong(child, child.key, ErrorKind.FAILED_PRECONDITION, "not equivalent to what is there");
    }
  }

  private void wrong(@Nullable Node node, Key<?> key, ErrorKind kind, String message) {
    String owner = node == null ? Node.NOBODY : node.owner;
    String base = node == null ? key.path() : node.root().path;
    work.log.add(Failure.of(owner, "verify", kind, message).about(key.path(), base));
  }
}
