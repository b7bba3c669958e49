package dev.evenkeel.txn.engine;

import dev.evenkeel.api.txn.Dependency;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.txn.ActionOutcome;
import dev.evenkeel.txn.Cursor;
import dev.evenkeel.txn.TxnEntry;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Wishes for what is so already. A handler that wants again what it wanted the last time is the
 * rule, not the exception: a transaction of nothing else costs a look at each value, and ends.
 */
final class Met implements Cursor<TransactionResult> {
  private final TransactionResult result;
  private final Consumer<TransactionResult> atEnd;
  private boolean ended;

  /** A transaction that has nothing to do. */
  Met(long number, Consumer<TransactionResult> atEnd) {
    this.result =
        new TransactionResult(number, TransactionOutcome.APPLIED, List.of(), List.of(), List.of());
    this.atEnd = atEnd;
  }

  @Override
  public Next<TransactionResult> next(ActionOutcome outcome) {
    if (ended) {
      throw new IllegalStateException("the transaction has ended");
    }
    ended = true;
    atEnd.accept(result);
    return new Next.End<>(result);
  }

  @Override
  public StepResults results() {
    return new StepResults();
  }

  /** Whether every entry wants a value as it is, of the same owner, and none may not be wished. */
  static boolean all(Graph graph, EngineTransaction txn) {
    List<TxnEntry> entries = txn.entries();
    for (int i = 0; i < entries.size(); i++) {
      if (!(entries.get(i) instanceof TxnEntry.Put<?> put) || !is(graph, put, txn)) {
        return false;
      }
    }
    return true;
  }

  private static boolean is(Graph graph, TxnEntry.Put<?> put, EngineTransaction txn) {
    Predicate<String> frozen = txn.frozen();
    Node node = graph.peek(put.key().path());
    return node != null
        && node.owner.equals(put.owner())
        && node.retry.equals(put.retry().isPresent() ? put.retry() : txn.retry())
        && (is(graph, node, put.value()) || isNobodys(node, put.value()))
        && !frozen.test(node.path);
  }

  /** Readers may see of all of them that they have been asked for once more. */
  static void confirm(Graph graph, EngineTransaction txn) {
    for (TxnEntry entry : txn.entries()) {
      Node node = entry instanceof TxnEntry.Put<?> put ? graph.peek(put.key().path()) : null;
      if (node != null && node.bound != null) {
        confirm(graph, node);
      }
    }
  }

  /** Whether a base value is as it is wanted, with all that derives from it. */
  static boolean is(Graph graph, Node node, Object wanted) {
    Bound<?, ?> bound = node.bound;
    return bound != null
        && node.base == null
        && !bound.unknown
        && !bound.hung
        && node.clean()
        && equal(wanted, node.desired)
        && ready(graph, node);
  }

  /** Whether nothing makes it real, and it has been wanted like this before. */
  private static boolean isNobodys(Node node, Object wanted) {
    return node.bound == null
        && node.base == null
        && node.last == ValueOperation.CREATE
        && node.untouched()
        && equal(wanted, node.desired);
  }

  private static boolean equal(Object wanted, @Nullable Object there) {
    try {
      return wanted == there || wanted.equals(there);
    } catch (RuntimeException | Error thrown) {
      return false; // said when the value is looked at
    }
  }

  private static boolean ready(Graph graph, Node node) {
    for (Dependency need : node.needs) {
      if (!graph.met(need)) {
        return false;
      }
    }
    return node.derived.isEmpty() || node.derived.all(derived -> ready(graph, derived));
  }

  /** It has been asked for once more, and readers may see that. */
  static void confirm(Graph graph, Node node) {
    if (node.last != ValueOperation.UPDATE) {
      node.last = ValueOperation.UPDATE;
      graph.touch(node);
    }
    if (!node.derived.isEmpty()) {
      node.derived.values().forEach(derived -> confirm(graph, derived));
    }
  }
}
