package dev.evenkeel.txn.engine;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.txn.ValueReader;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.ActionOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What the parts of one running transaction share. */
final class Work {
  final long number;
  final Log log = new Log();
  final Agenda agenda;
  final Graph graph;

  /** The values before this transaction. */
  final ValueReader before;

  /** Calls that have not returned, of this and of earlier transactions. */
  final Hangs hangs;

  private final NonRetriable nonRetriable;

  /** Tells what must be left alone. */
  final Predicate<String> frozen;

  /** What had to be left alone. */
  final SortedMap<String, Key<?>> dirty;

  /** Base values with a failed operation since the last refresh. */
  private @Nullable TreeMap<String, Node> failed;

  /** Nodes with a mark that says what is going on; taken off when the transaction breaks off. */
  private final List<Node> marked = new ArrayList<>(0);

  /** What is tried again, now and later. */
  final Again again;

  /** Nothing is called, but retrieves: every other call is taken to succeed (rule 56). */
  final boolean dry;

  /** Everything is being put back. */
  boolean reverting;

  /** A task was cut short: marks may have been left. */
  private boolean broken;

  /** A call has not returned: the transaction is over (JT-4). */
  boolean unfinished;

  Work(
      long number,
      Graph graph,
      ValueReader before,
      Hangs hangs,
      NonRetriable nonRetriable,
      Predicate<String> frozen,
      SortedMap<String, Key<?>> dirty,
      boolean dry,
      BiConsumer<Action, ActionOutcome> called) {
    this.agenda = new Agenda(this::broken, called);
    this.number = number;
    this.graph = graph;
    this.before = before;
    this.hangs = hangs;
    this.nonRetriable = nonRetriable;
    this.frozen = frozen;
    this.dirty = dirty;
    this.again = new Again(number, graph);
    this.dry = dry;
  }

  /** Whether what was thrown for a node is not worth trying again (rule 38). */
  boolean isHopeless(Node node, Throwable thrown) {
    return nonRetriable.matches(thrown) || (node.bound != null && !node.bound.retriable(thrown));
  }

  /** Whether a node must be left alone; remembers that it was. */
  boolean leave(Node node) {
    if (!frozen.test(node.root().path)) {
      return false;
    }
    dirty.put(node.root().path, node.root().key);
    return true;
  }

  /** Something went wrong that no value is known to be the cause of: it is told, and goes on. */
  private void broken(Throwable thrown) {
    broken = true;
    log.add(Failure.of("engine", "walk", thrown));
  }

  /** An operation on a base value, or on what derives from it, has failed. */
  void fail(Node base) {
    TreeMap<String, Node> all = failed == null ? new TreeMap<>() : failed;
    failed = all;
    all.put(base.path, base);
  }

  /** Those that have failed since the last time, and are still there. */
  List<Node> takeFailed() {
    TreeMap<String, Node> all = failed;
    failed = null;
    return all == null ? List.of() : all.values().stream().filter(graph::holds).toList();
  }

  void mark(Node node) {
    marked.add(node);
  }

  /** Ends the transaction where it stands. */
  void breakOff() {
    unfinished = true;
    agenda.clear();
    unmark();
  }

  /** The agenda is empty. */
  void ended() {
    if (broken) {
      unmark();
    }
  }

  private void unmark() {
    for (Node node : marked) {
      node.going = false;
      node.busy = false;
      node.removed = false;
      graph.settle(node);
    }
    marked.clear();
  }
}
