package dev.evenkeel.txn.engine;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.txn.OperationFlag;
import dev.evenkeel.api.txn.OperationRecord;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.api.txn.ValueState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Notes what operations on values did, and what went wrong, in the log and on the node. */
final class Notes {
  private static final int NOOP = 1;
  private static final int DERIVED = 2;
  private static final int PROPERTY = 4;
  private static final int REVERT = 8;
  private static final int RECREATE = 16;
  private static final int RETRY = 32;

  /** Every combination of flags, made once: immutable sets, by the sum of the numbers above. */
  private static final List<Set<OperationFlag>> FLAGS = combinations();

  private final Work work;
  private final Graph graph;

  Notes(Work work) {
    this.work = work;
    this.graph = work.graph;
  }

  /** An operation has thrown; a fatal error of the virtual machine goes on its way. */
  void fail(
      Node node,
      ValueOperation operation,
      ValueState before,
      @Nullable Object wanted,
      Throwable thrown,
      boolean recreate,
      boolean noop,
      Values.Result out) {
    if (thrown instanceof VirtualMachineError fatal) {
      throw fatal;
    }
    Failure failure =
        Failure.of(node.owner, text(operation), thrown).about(node.path, node.root().path);
    out.failure = failure;
    out.hopeless = work.isHopeless(node, thrown);
    failed(node, operation, before, wanted, failure, out.hopeless, recreate, noop);
  }

  /** An operation has not returned. */
  void fail(
      Node node,
      ValueOperation operation,
      ValueState before,
      @Nullable Object wanted,
      Duration limit) {
    Failure failure =
        Failure.of(
                node.owner,
                text(operation),
                ErrorKind.DEADLINE_EXCEEDED,
                "has not returned within " + limit + " and still runs")
            .about(node.path, node.root().path);
    failed(node, operation, before, wanted, failure, false, false, false);
  }

  private void failed(
      Node node,
      ValueOperation operation,
      ValueState before,
      @Nullable Object wanted,
      Failure failure,
      boolean hopeless,
      boolean recreate,
      boolean noop) {
    node.failure = failure;
    node.hopeless = hopeless;
    node.broken = work.number;
    work.log.add(failure);
    work.fail(node.root());
    graph.settle(node);
    work.again.failed(node, hopeless);
    record(node, operation, before, node.applied, wanted, failure, recreate, noop);
  }

  /** Nothing was called; it is recorded only when the state has changed (rule 25). */
  void noopIfChanged(Node node, ValueState before, Object wanted) {
    if (node.state() != before && before != ValueState.DISCOVERED) {
      noop(node, ValueOperation.UPDATE, before, wanted);
    }
  }

  /** Nothing was called. */
  void noop(Node node, ValueOperation operation, ValueState before, Object wanted) {
    record(node, operation, before, node.applied, wanted, null, false, true);
  }

  /** Records an operation, with the state that the node has now. */
  void record(
      Node node,
      ValueOperation operation,
      ValueState before,
      @Nullable Object previous,
      @Nullable Object current,
      @Nullable Failure failure,
      boolean recreate,
      boolean noop) {
    int flags =
        (noop ? NOOP : 0)
            | (node.base != null ? DERIVED : 0)
            | (node.property() ? PROPERTY : 0)
            | (work.reverting || work.again.retriesRevert() ? REVERT : 0)
            | (recreate ? RECREATE : 0)
            | (work.again.retried != null ? RETRY : 0);
    work.log.add(
        new OperationRecord(
            operation,
            node.path,
            node.root().path,
            node.owner,
            before,
            node.state(),
            Optional.ofNullable(previous),
            Optional.ofNullable(current),
            previousFailure(node, before),
            Optional.ofNullable(failure),
            FLAGS.get(flags)));
  }

  /**
   * The failure of the operation before, in this transaction or an earlier one. It is looked up,
   * and only for a value that had failed, so that nobody else pays for it.
   */
  private Optional<Failure> previousFailure(Node node, ValueState before) {
    if (before != ValueState.FAILED
        && before != ValueState.RETRYING
        && before != ValueState.INVALID) {
      return Optional.empty();
    }
    OperationRecord last = work.log.last(node.path);
    return last == null ? work.before.status(node.key).failure() : last.failure();
  }

  private static List<Set<OperationFlag>> combinations() {
    List<OperationFlag> flags =
        List.of(
            OperationFlag.NOOP,
            OperationFlag.DERIVED,
            OperationFlag.PROPERTY,
            OperationFlag.REVERT,
            OperationFlag.RECREATE,
            OperationFlag.RETRY);
    List<Set<OperationFlag>> all = new ArrayList<>();
    for (int sum = 0; sum < (1 << flags.size()); sum++) {
      EnumSet<OperationFlag> set = EnumSet.noneOf(OperationFlag.class);
      for (int i = 0; i < flags.size(); i++) {
        if ((sum & (1 << i)) != 0) {
          set.add(flags.get(i));
        }
      }
      all.add(Collections.unmodifiableSet(set));
    }
    return all;
  }

  /** How a failure names the operation. */
  String text(ValueOperation operation) {
    String name = operation.name().toLowerCase(Locale.ROOT);
    return work.reverting || work.again.retriesRevert() ? "revert " + name : name;
  }
}
