package dev.evenkeel.txn.engine;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.txn.Results;
import dev.evenkeel.api.txn.RetryPolicy;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.ActionOutcome;
import dev.evenkeel.txn.Cursor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One transaction: what it is made of is put on the agenda by {@link EngineCore}, and this runs it,
 * stops it when it is to be reverted, puts back, refreshes what failed, and tells the outcome.
 */
final class Transaction implements Cursor<TransactionResult> {
  /**
   * One wish.
   *
   * @param value what is wanted, or absent for nothing
   * @param visitOnly nobody wishes anything new: what is wanted already is looked at again
   */
  record Wish(
      Key<?> key,
      @Nullable Object value,
      String owner,
      Optional<RetryPolicy> retry,
      boolean visitOnly) {}

  private final Work work;
  private final boolean revertOnFailure;
  private final boolean resync;
  private final BiConsumer<Transaction, TransactionResult> atEnd;
  private final StepResults results = new StepResults();
  private final Values values;
  private final StepRunner steps;
  private final Refresh refresh;
  private final @Nullable Verify verify;

  /** How to put back what has been tried, the latest first. */
  private final ArrayDeque<Runnable> undos = new ArrayDeque<>(1);

  /** Base values that have been tried or put back by name. */
  private Set<String> tried = Set.of();

  /** Wishes that have not been put in order, in the order in which they will be. */
  private final ArrayDeque<Collection<Wish>> announced = new ArrayDeque<>(1);

  /** Wishes that are being looked at. */
  private @Nullable Order current;

  /** Base values of which something failed on the way forward. */
  private final List<Node> failed = new ArrayList<>(0);

  /** Values whose metadata has been asked for. */
  private Set<String> asked = Set.of();

  private final Runnable goOn = this::nextWish;

  private int failuresBeforeRevert;
  private boolean revertStopped;
  private boolean ended;

  Transaction(
      Work work,
      boolean revertOnFailure,
      boolean resync,
      List<Bound<?, ?>> inOrder,
      boolean verify,
      BiConsumer<Transaction, TransactionResult> atEnd) {
    this.work = work;
    this.revertOnFailure = revertOnFailure;
    this.resync = resync;
    this.atEnd = atEnd;
    this.values = new Values(work);
    this.steps = new StepRunner(work, results);
    work.again.reverts = revertOnFailure;
    this.refresh = new Refresh(work, inOrder);
    this.verify = verify && !work.dry ? new Verify(work, inOrder, refresh) : null;
  }

  boolean isDry() {
    return work.dry;
  }

  Refresh refresh() {
    return refresh;
  }

  Values values() {
    return values;
  }

  /** What of it is to be tried again, once it has ended. */
  List<RetryGroup> planned() {
    return work.again.ended(work.unfinished);
  }

  @Override
  public Results results() {
    return results;
  }

  @Override
  public Next<TransactionResult> next(ActionOutcome outcome) {
    if (ended) {
      throw new IllegalStateException("the transaction has ended");
    }
    if (!(outcome instanceof ActionOutcome.Start)) {
      work.agenda.resume(outcome);
    }
    Action action = work.agenda.work();
    if (action != null) {
      return new Next.Act<>(action);
    }
    ended = true;
    work.ended();
    work.graph.follow(null);
    if (work.unfinished && !revertOnFailure) {
      keepOpen();
    }
    TransactionResult result =
        new TransactionResult(
            work.number, outcome(), work.log.operations(), work.log.steps(), work.log.failures());
    atEnd.accept(this, result);
    return new Next.End<>(result);
  }

  private TransactionOutcome outcome() {
    if (work.unfinished) {
      return TransactionOutcome.UNFINISHED;
    }
    if (work.reverting) {
      return work.log.failed() > failuresBeforeRevert
          ? TransactionOutcome.REVERT_INCOMPLETE
          : TransactionOutcome.REVERTED;
    }
    return work.log.failed() == 0
        ? TransactionOutcome.APPLIED
        : TransactionOutcome.APPLIED_WITH_FAILURES;
  }

  // ---- going forward ---------------------------------------------------------------------------

  /** Looks at the wishes that were announced first, in the order of rule 18. */
  void wish() {
    wish(announced.remove());
  }

  /** Looks at wishes, in the order of rule 18. */
  void wish(Collection<Wish> wishes) {
    if (!stopping()) {
      Order order = new Order(work);
      wishes.forEach(order::add);
      wish(order);
    }
  }

  /** Looks at wishes in order. */
  void wish(Order order) {
    order.sort();
    current = order;
    work.graph.follow(order);
    work.agenda.next(goOn);
  }

  private void nextWish() {
    Order order = current;
    Wish wish = order == null || stopping() ? null : order.next();
    if (wish == null) {
      current = null;
      work.graph.follow(null);
    } else {
      work.agenda.next(goOn);
      wish(wish);
    }
  }

  /** Counts wishes as open until they are looked at. */
  void announce(Collection<Wish> wishes) {
    announced.add(wishes);
  }

  /** What was announced first is put in order by the caller. */
  void taken() {
    announced.remove();
  }

  private void keepOpen() {
    Order order = current;
    if (order != null) {
      order.rest().forEach(this::wishOnly);
    }
    announced.forEach(wishes -> wishes.forEach(this::wishOnly));
  }

  private void wish(Wish wish) {
    if (stopping()) {
      return;
    }
    values.quiet = wish.visitOnly();
    if (verify != null) {
      verify.touched(wish.key());
    }
    Node there = work.graph.find(wish.key().path());
    if (there == null && wish.value() == null) {
      return; // absent already: not even recorded (rule 22)
    }
    Node node = there == null ? work.graph.base(wish.key()) : there;
    if (refused(wish, node)) {
      return;
    }
    if (lacksMetadata(node) && !asked.contains(node.path)) {
      asked = asked.isEmpty() ? new HashSet<>() : asked;
      asked.add(node.path);
      work.agenda.next(() -> refresh.some(List.of(node)), () -> wish(wish));
      return;
    }
    ValueState before = node.state();
    if (revertOnFailure) {
      Former former = Former.of(node);
      tried = tried.isEmpty() ? new HashSet<>() : tried;
      tried.add(node.path);
      undos.push(() -> putBack(former, wish.retry()));
    }
    if (wish.value() == null) {
      node.last = ValueOperation.DELETE;
      node.retry = wish.retry();
      if (node.applied != null || node.hung) {
        node.desired = null; // else its former value is needed for the record
      }
      work.graph.settle(node);
      values.remove(node, Values.Removal.GONE, before, new Values.Result());
      return;
    }
    node.last = node.available() ? ValueOperation.UPDATE : ValueOperation.CREATE;
    node.desired = wish.value();
    if (!wish.visitOnly()) {
      node.owner = wish.owner();
      node.retry = wish.retry();
    }
    work.graph.settle(node);
    values.apply(node, wish.value(), before, false, new Values.Result());
  }

  /**
   * Whether the outside must be asked before a value is changed that it has made: a notification
   * tells no metadata, and the change needs them.
   */
  private static boolean lacksMetadata(Node node) {
    return node.applied != null
        && node.base == null
        && node.metadata == null
        && node.bound != null
        && node.bound.retrieves();
  }

  /** What may not be wished. */
  private boolean refused(Wish wish, Node node) {
    String reason = null;
    ErrorKind kind = ErrorKind.BUSY;
    if (node.base != null) {
      kind = ErrorKind.INVALID;
      reason = "it derives from " + node.base.path + " and cannot be set by itself";
    } else if (work.frozen.test(node.path)) {
      work.dirty.put(node.path, node.key);
      if (resync || wish.visitOnly()) {
        if (wish.value() != null) {
          wishOnly(wish); // compared when it thaws
        }
        dropIfEmpty(node);
        return true;
      }
      reason = "a running operation has its lock";
    }
    if (reason == null) {
      return false;
    }
    String operation = wish.value() == null ? "delete" : "update";
    work.log.add(
        Failure.of(wish.owner(), operation, kind, reason).about(node.path, node.root().path));
    dropIfEmpty(node);
    return true;
  }

  private void dropIfEmpty(Node node) {
    if (node.empty()) {
      work.graph.drop(node);
    }
  }

  /** The transaction is over before this was looked at: only the wish is kept. */
  private void wishOnly(Wish wish) {
    Node node = work.graph.find(wish.key().path());
    if (wish.visitOnly() || (node == null && wish.value() == null)) {
      return;
    }
    Node target = node == null ? work.graph.base(wish.key()) : node;
    if (target.base != null) {
      return;
    }
    target.desired = wish.value();
    target.owner = wish.owner();
    target.retry = wish.retry();
    work.graph.settle(target);
    dropIfEmpty(target);
  }

  void step(String owner, Step<?> step) {
    if (!stopping()) {
      steps.run(owner, step, undo -> undos.push(() -> undoStep(undo)));
    }
  }

  /** Whether nothing more is to be tried, because everything will be put back. */
  private boolean stopping() {
    return revertOnFailure && work.log.failed() > 0;
  }

  // ---- the end, and the way back ---------------------------------------------------------------

  /** Takes over what the outside says of a value of its own (rules 52, 53). */
  void told(Key<?> key, @Nullable Object value, @Nullable Object metadata) {
    Bound<?, ?> bound = work.graph.bound(key);
    Node there = work.graph.find(key.path());
    if (bound == null || (there == null && value == null) || (there != null && ours(there))) {
      return; // recorded, and without effect
    }
    if (work.frozen.test(key.path())) {
      work.dirty.put(key.path(), key);
      return;
    }
    if (value != null && !bound.accepts(key, value)) {
      work.log.add(
          Failure.of(
                  Node.NOBODY,
                  "notification",
                  ErrorKind.INVALID,
                  "the value is not of the class that its key type says")
              .about(key.path(), key.path()));
      return;
    }
    Node node = there == null ? work.graph.base(key) : there;
    ValueState before = node.state();
    if (value != null) {
      values.obtain(node, value, metadata, before);
    } else {
      Values.Removal gone = new Values.Removal(Values.Why.GONE, false, true, null);
      values.remove(node, gone, before, new Values.Result());
    }
  }

  private static boolean ours(Node node) {
    return node.base != null
        || node.hung
        || node.desired != null
        || (node.applied != null && node.north());
  }

  /** Looks again at a base value that may have been changed behind our back. */
  void revisit(Node node) {
    if (!work.graph.holds(node)) {
      return;
    }
    Object wanted = node.desired;
    if (wanted == null && (node.applied == null || !node.north())) {
      dropIfEmpty(node);
      return;
    }
    wish(new Wish(node.key, wanted, node.owner, node.retry, true));
  }

  /** The last thing on the agenda. */
  void finish() {
    if (verify == null) {
      finishing();
    } else {
      work.agenda.next(this::finishing, verify::begin);
    }
  }

  private void finishing() {
    if (!stopping()) {
      refreshFailed(true);
      return;
    }
    List<Runnable> tasks = new ArrayList<>();
    values.quiet = false;
    tasks.add(() -> refreshFailed(false));
    tasks.add(
        () -> {
          failuresBeforeRevert = work.log.failed();
          work.reverting = true;
          work.again.reverting = true;
        });
    for (Runnable undo : undos) {
      tasks.add(
          () -> {
            if (!revertStopped) {
              undo.run();
            }
          });
    }
    tasks.add(this::mendDependents);
    tasks.add(() -> refreshFailed(true));
    work.agenda.next(tasks.toArray(Runnable[]::new));
  }

  /**
   * Asks the outside what is there of the values of which something has failed (rule 42), and lets
   * what depends on them follow, which may fail again.
   */
  private void refreshFailed(boolean follow) {
    List<Node> nodes = work.takeFailed();
    if (nodes.isEmpty()) {
      return;
    }
    if (!work.reverting) {
      failed.addAll(nodes);
    }
    List<Runnable> tasks = new ArrayList<>();
    tasks.add(() -> refresh.some(nodes));
    if (follow) {
      nodes.forEach(node -> tasks.add(() -> values.follow(node)));
      tasks.add(() -> refreshFailed(true));
    }
    work.agenda.next(tasks.toArray(Runnable[]::new));
  }

  /**
   * Brings back what was. If that fails it is tried again by the policy of what was, and if that
   * had none, by that of what was wanted instead (rule 36).
   */
  private void putBack(Former former, Optional<RetryPolicy> instead) {
    Node now = work.graph.find(former.node().path);
    Object value = former.value();
    if (now == null && value == null && former.desired() == null) {
      return;
    }
    Node node = now == null ? work.graph.base(former.node().key) : now;
    ValueState before = node.state();
    Values.Result result = new Values.Result();
    work.agenda.next(
        () -> {
          if (value != null) {
            former.restoreWish(node);
            node.desired = value;
            node.retry = former.retry().or(() -> instead);
            work.graph.settle(node);
            values.apply(node, value, before, false, result);
          } else if (former.desired() == null) {
            node.last = ValueOperation.DELETE;
            values.remove(node, Values.Removal.GONE, before, result);
          } else {
            node.retry = former.retry().or(() -> instead);
            values.remove(
                node, new Values.Removal(Values.Why.PENDING, false, false, null), before, result);
          }
        },
        () -> {
          if (work.graph.holds(node) && result.failure == null) {
            former.restoreWish(node);
            former.restoreMarks(work.graph, node);
            work.graph.settle(node);
          } else if (work.graph.holds(node) && value == null) {
            node.desired = former.desired(); // what is still to be brought about
            work.graph.settle(node);
          }
        });
  }

  private void undoStep(Runnable undo) {
    if (work.log.failed() > failuresBeforeRevert) {
      revertStopped = true; // what comes before may still be needed by what is left
      return;
    }
    int before = work.log.failed();
    work.agenda.next(undo, () -> revertStopped |= work.log.failed() > before);
  }

  /** Values that nobody asked for failed on the way: they are brought back to what they were. */
  private void mendDependents() {
    List<Runnable> tasks = new ArrayList<>();
    for (Node node : failed) {
      if (!tried.contains(node.path) && !revertStopped) {
        tasks.add(
            () -> {
              Object wanted = node.desired;
              if (work.graph.holds(node) && wanted != null && !node.hung) {
                values.apply(node, wanted, node.state(), false, new Values.Result());
              }
            });
      }
    }
    work.agenda.next(tasks.toArray(Runnable[]::new));
  }
}
