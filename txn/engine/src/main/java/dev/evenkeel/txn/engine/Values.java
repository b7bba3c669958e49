package dev.evenkeel.txn.engine;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.txn.InvalidField;
import dev.evenkeel.api.txn.Origin;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.ActionOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Brings single values to what is wanted of them, and with each, depth first, whatever depends on
 * it or derives from it (transactions reference, rules 19 to 33).
 *
 * <p>Long, because it is one recursion: {@code apply} creates or changes, {@code remove} takes
 * away, and both go on over {@code derive}, {@code wake} and {@code sleep}. Every method only does
 * what can be done at once and puts the rest on the agenda; a {@link Result} carries what went
 * wrong back to whoever waits for it.
 */
final class Values {
  private final Work work;
  private final Graph graph;
  private final Agenda agenda;
  private final Readiness readiness;
  private final Notes notes;

  /** Whether a value that was pending and still is goes without saying. */
  boolean quiet;

  /** What came of a visit: the failure that stopped it, its own or one that it met. */
  static final class Result {
    @Nullable Failure failure;

    /** It is not worth trying again. */
    boolean hopeless;

    void take(Result other) {
      failure = other.failure;
      hopeless = other.hopeless;
    }
  }

  /** What a removal is for. */
  enum Why {
    /** It is not wanted any more. */
    GONE,
    /** It is wanted, but what it needs is not there: it becomes pending. */
    PENDING,
    /** It is created again right after. */
    RECREATE
  }

  /**
   * How to remove.
   *
   * @param recreate part of a re-creation
   * @param silent the outside has removed it itself: no call, and nothing can stop it
   * @param instead what is wanted in its place when it becomes pending; recorded as an update
   */
  record Removal(Why why, boolean recreate, boolean silent, @Nullable Object instead) {
    static final Removal GONE = new Removal(Why.GONE, false, false, null);

    Removal ofDerived() {
      return new Removal(Why.GONE, recreate, silent, null);
    }
  }

  Values(Work work) {
    this.work = work;
    this.graph = work.graph;
    this.agenda = work.agenda;
    this.notes = new Notes(work);
    this.readiness = new Readiness(graph, this::applicable);
  }

  // ---- creating and changing -------------------------------------------------------------------

  /** Brings a node to a value. The state before is that from before it was wanted. */
  void apply(Node node, Object wanted, ValueState before, boolean recreate, Result out) {
    Bound<?, ?> bound = node.bound;
    ValueOperation operation = node.available() ? ValueOperation.UPDATE : ValueOperation.CREATE;
    if (bound == null) {
      if (node.base == null) {
        unimplemented(node, wanted, before);
      } else {
        property(node, wanted, before, recreate);
      }
      return;
    }
    if (blocked(node, operation, before, out)) {
      return;
    }
    if (bound.unknown) {
      notes.noop(node, operation, before, wanted);
      return;
    }
    Look look;
    try {
      look = Look.at(node, bound, wanted);
    } catch (Throwable thrown) {
      notes.fail(node, operation, before, wanted, thrown, recreate, true, out);
      return;
    }
    node.invalid = look.invalid();
    if (!look.invalid().isEmpty()) {
      invalid(node, operation, before, wanted, look.invalid(), out);
    } else if (operation == ValueOperation.CREATE) {
      create(node, bound, wanted, look, before, recreate, Set.of(), out);
    } else if (look.same()) {
      confirm(node, wanted, look, before, out);
    } else if (look.recreates()) {
      recreate(node, bound, wanted, look, before, out);
    } else {
      update(node, bound, wanted, look, before, recreate, out);
    }
  }

  private void unimplemented(Node node, Object wanted, ValueState before) {
    graph.settle(node);
    if (before != ValueState.UNIMPLEMENTED) {
      notes.noop(node, ValueOperation.CREATE, before, wanted);
    }
  }

  /** A derived value that nobody describes: only something to depend on. */
  private void property(Node node, Object wanted, ValueState before, boolean recreate) {
    Object previous = node.applied;
    node.present(wanted, null, node.root().origin);
    graph.settle(node);
    if (previous == null) {
      notes.record(node, ValueOperation.CREATE, before, null, wanted, null, recreate, false);
      wake(node);
    } else if (!previous.equals(wanted)) {
      notes.record(node, ValueOperation.UPDATE, before, previous, wanted, null, recreate, false);
    } else {
      notes.noopIfChanged(node, before, wanted);
    }
  }

  private void invalid(
      Node node,
      ValueOperation operation,
      ValueState before,
      Object wanted,
      List<InvalidField> fields,
      Result out) {
    String message =
        fields.stream().map(f -> f.field() + ": " + f.reason()).collect(Collectors.joining("; "));
    Failure failure =
        Failure.of(node.owner, notes.text(operation), ErrorKind.INVALID, message)
            .about(node.path, node.root().path);
    node.failure = failure;
    node.hopeless = true;
    out.failure = failure;
    out.hopeless = true;
    work.log.add(failure);
    graph.settle(node);
    notes.record(node, operation, before, node.applied, wanted, failure, false, true);
  }

  private void create(
      Node node,
      Bound<?, ?> bound,
      Object wanted,
      Look look,
      ValueState before,
      boolean recreate,
      Set<String> existed,
      Result out) {
    graph.relate(node, look.needs());
    if (!readiness.ready(node, look.needs())) {
      if (node.applied != null) { // a failed delete may have left it there
        remove(node, new Removal(Why.PENDING, false, false, wanted), before, out);
        return;
      }
      node.failure = null;
      node.inherited = null;
      node.missing = false;
      node.removed = false;
      graph.settle(node);
      if (!quiet || before != ValueState.PENDING) {
        notes.noop(node, ValueOperation.CREATE, before, wanted);
      }
      return;
    }
    call(
        node,
        wanted,
        before,
        bound.create(node.key, wanted, node.owner),
        outcome -> {
          if (outcome instanceof ActionOutcome.Done done) {
            node.present(wanted, done.value(), Origin.NORTH);
            graph.settle(node);
            notes.record(node, ValueOperation.CREATE, before, null, wanted, null, recreate, false);
            follows(node, true, look.derived(), existed);
          } else {
            node.removed = false;
            notes.fail(
                node, ValueOperation.CREATE, before, wanted, thrown(outcome), recreate, false, out);
            agenda.next(() -> sleepAround(node, new HashSet<>()));
          }
        });
  }

  /** What is applied is what is wanted; whether it still may be is looked at again (TW-3). */
  private void confirm(Node node, Object wanted, Look look, ValueState before, Result out) {
    graph.relate(node, look.needs());
    if (!readiness.ready(node, look.needs())) {
      remove(node, new Removal(Why.PENDING, false, false, wanted), before, out);
      return;
    }
    node.present(wanted, node.metadata, Origin.NORTH);
    graph.settle(node);
    notes.noopIfChanged(node, before, wanted);
    follows(node, hadFailed(before), look.derived(), Set.of());
  }

  private void recreate(
      Node node, Bound<?, ?> bound, Object wanted, Look look, ValueState before, Result out) {
    Set<String> existed =
        node.derived.values().stream()
            .filter(Node::available)
            .map(child -> child.path)
            .collect(Collectors.toSet());
    Result removing = new Result();
    agenda.next(
        () -> remove(node, new Removal(Why.RECREATE, true, false, null), before, removing),
        () -> {
          if (removing.failure != null) {
            notApplied(node, removing, out);
          } else if (node.applied == null) {
            create(node, bound, wanted, look, node.state(), true, existed, out);
          }
        });
  }

  private void update(
      Node node,
      Bound<?, ?> bound,
      Object wanted,
      Look look,
      ValueState before,
      boolean recreate,
      Result out) {
    node.busy = true;
    work.mark(node);
    Result removing = new Result();
    agenda.next(
        () -> removeObsolete(node, look.derived(), removing),
        () -> {
          if (removing.failure != null) {
            node.busy = false;
            notApplied(node, removing, out);
          } else if (!readiness.ready(node, look.needs())) {
            node.busy = false;
            graph.relate(node, look.needs());
            remove(node, new Removal(Why.PENDING, false, false, wanted), before, out);
          } else {
            replace(node, bound, wanted, look, before, recreate, out);
          }
        });
  }

  private void replace(
      Node node,
      Bound<?, ?> bound,
      Object wanted,
      Look look,
      ValueState before,
      boolean recreate,
      Result out) {
    Object previous = applied(node);
    call(
        node,
        wanted,
        before,
        bound.update(node, previous, wanted),
        outcome -> {
          node.busy = false;
          if (outcome instanceof ActionOutcome.Done done) {
            node.present(wanted, done.value(), Origin.NORTH);
            graph.relate(node, look.needs());
            graph.settle(node);
            notes.record(
                node, ValueOperation.UPDATE, before, previous, wanted, null, recreate, false);
            follows(node, hadFailed(before), look.derived(), Set.of());
          } else {
            notes.fail(
                node, ValueOperation.UPDATE, before, wanted, thrown(outcome), recreate, false, out);
          }
        });
  }

  /**
   * The change could not even be tried: the value is as it was, and not as it is wanted (TW-10).
   */
  private void notApplied(Node node, Result cause, Result out) {
    node.failure = cause.failure;
    node.hopeless = cause.hopeless;
    out.take(cause);
    graph.settle(node);
    work.again.failed(node, cause.hopeless);
  }

  /**
   * The outside has made or changed a value of its own: no call (rules 21, 28, 52).
   *
   * @param metadata if it told them
   */
  void obtain(Node node, Object value, @Nullable Object metadata, ValueState before) {
    Bound<?, ?> bound = node.bound;
    if (bound == null) {
      property(node, value, before, false);
      return;
    }
    Look look;
    try {
      look =
          Look.plain(
              node.applied != null && bound.same(node.key, node.applied, value),
              Look.derived(bound, node, value));
    } catch (Throwable thrown) {
      notes.fail(node, ValueOperation.UPDATE, before, value, thrown, false, true, new Result());
      return;
    }
    Object previous = node.applied;
    agenda.next(
        () -> removeObsolete(node, look.derived(), new Result()),
        () -> {
          boolean fresh = node.applied == null;
          // When it tells none, those of another value may be wrong.
          Object known = metadata == null && look.same() ? node.metadata : metadata;
          node.present(value, known, Origin.SOUTH);
          graph.relate(node, List.of());
          graph.settle(node);
          if (fresh) {
            notes.record(node, ValueOperation.CREATE, before, null, value, null, false, false);
          } else if (!look.same()) {
            notes.record(node, ValueOperation.UPDATE, before, previous, value, null, false, false);
          }
          follows(node, fresh, look.derived(), Set.of());
        });
  }

  /**
   * A value has been applied: those that waited for it come next, and then what derives from it. An
   * update wakes nobody, unless some went to sleep when the value failed.
   */
  private void follows(
      Node node, boolean wakes, SortedMap<String, KeyedValue<?>> derived, Set<String> existed) {
    if (!derived.isEmpty() || !node.derived.isEmpty()) {
      agenda.next(() -> derive(node, derived, existed));
    }
    if (wakes) {
      wake(node);
    }
  }

  private static boolean hadFailed(ValueState before) {
    return before == ValueState.FAILED || before == ValueState.RETRYING;
  }

  // ---- derived values --------------------------------------------------------------------------

  /** Brings the derived values of an applied value to what it says. */
  private void derive(Node node, SortedMap<String, KeyedValue<?>> wanted, Set<String> existed) {
    if (!wanted.isEmpty()) {
      agenda.each(wanted.values(), value -> derive(node, value, existed));
    }
    removeObsolete(node, wanted, new Result());
  }

  /** A removal was called off: brings back those derived values that had gone already. */
  private void deriveAgain(Node node) {
    Bound<?, ?> bound = node.bound;
    Object applied = node.applied;
    if (bound == null || applied == null) {
      return;
    }
    SortedMap<String, KeyedValue<?>> derived;
    try {
      derived = Look.derived(bound, node, applied);
    } catch (RuntimeException | Error thrown) {
      node.inherited = Failure.of(node.owner, "derive", thrown).about(node.path, node.path);
      return;
    }
    derive(node, derived, Set.of());
  }

  private void derive(Node node, KeyedValue<?> wanted, Set<String> existed) {
    if (node.applied == null) {
      return; // it has been taken away again meanwhile
    }
    Node child = graph.derived(wanted.key(), node);
    if (child.base != node) {
      Failure failure =
          Failure.of(
                  node.owner,
                  notes.text(ValueOperation.CREATE),
                  ErrorKind.INVALID,
                  "another value has this key; it cannot derive from " + node.path)
              .about(child.path, node.path);
      work.log.add(failure);
      return;
    }
    ValueState before = child.state();
    child.desired = wanted.value();
    child.owner = node.owner;
    child.retry = node.retry;
    if (!node.north()) {
      obtain(child, wanted.value(), null, before);
      return;
    }
    child.last = child.available() ? ValueOperation.UPDATE : ValueOperation.CREATE;
    graph.settle(child);
    apply(child, wanted.value(), before, existed.contains(child.path), new Result());
  }

  private void removeObsolete(Node node, SortedMap<String, KeyedValue<?>> wanted, Result out) {
    if (node.derived.isEmpty()) {
      return;
    }
    List<Node> obsolete = new ArrayList<>();
    for (Node child : node.derived.values()) {
      if (!wanted.containsKey(child.path)) {
        obsolete.add(child);
      }
    }
    agenda.each(
        obsolete,
        child -> {
          if (out.failure == null) {
            graph.keep(child);
            child.last = ValueOperation.DELETE;
            remove(child, new Removal(Why.GONE, false, !child.north(), null), child.state(), out);
          }
        });
  }

  // ---- removing --------------------------------------------------------------------------------

  /** Takes a node away, and before it what derives from it and what depends on it (rule 23). */
  void remove(Node node, Removal how, ValueState before, Result out) {
    if (!graph.holds(node)) {
      return; // gone meanwhile, along another branch
    }
    if (node.applied == null && !node.hung) {
      if (how.why() == Why.GONE) {
        removeAbsent(node, before);
      }
      return;
    }
    if (blocked(node, ValueOperation.DELETE, before, out)) {
      return;
    }
    if (how.why() == Why.GONE) {
      node.desired = null;
    }
    if (node.bound != null && node.bound.unknown && !how.silent()) {
      out.failure = cannotLook(node);
      return; // nor is what it derives from, or what it depends on
    }
    node.going = true;
    work.mark(node);
    graph.settle(node);
    Result attached = new Result();
    agenda.next(
        () -> {
          if (attached.failure == null || how.silent()) {
            sleep(node, attached);
          }
        },
        () -> removeAlone(node, how, before, attached, out));
    if (!node.derived.isEmpty()) {
      agenda.each(
          List.copyOf(node.derived.values()),
          child -> {
            if (attached.failure == null || how.silent()) {
              graph.keep(child);
              child.last = ValueOperation.DELETE;
              remove(child, how.ofDerived(), child.state(), attached);
            }
          });
    }
  }

  /** Nothing is removed where the outside could not be asked (TW-9). */
  private Failure cannotLook(Node node) {
    Failure failure =
        Failure.of(
                node.owner,
                notes.text(ValueOperation.DELETE),
                ErrorKind.UNAVAILABLE,
                "what is there has never been retrieved: left as it is until it has")
            .about(node.path, node.root().path);
    work.log.add(failure);
    return failure;
  }

  private void removeAbsent(Node node, ValueState before) {
    if (!node.derived.isEmpty()) {
      for (Node child : List.copyOf(node.derived.values())) {
        graph.keep(child);
        removeAbsent(child, child.state());
      }
    }
    Object previous = node.desired;
    node.desired = null;
    node.removed = true;
    if (before != ValueState.NONEXISTENT) {
      notes.record(node, ValueOperation.DELETE, before, previous, null, null, false, true);
    }
    graph.drop(node);
  }

  private void removeAlone(Node node, Removal how, ValueState before, Result attached, Result out) {
    if (attached.failure != null && !how.silent()) {
      node.going = false;
      node.inherited = attached.failure;
      out.take(attached);
      graph.settle(node);
      work.again.failed(node, attached.hopeless);
      agenda.next(
          () -> wake(node), // those that were put to sleep already
          () -> {
            if (how.why() != Why.GONE) {
              deriveAgain(node);
            }
          });
      return;
    }
    Bound<?, ?> bound = node.bound;
    if (how.silent() || bound == null) {
      removed(node, how, before);
      return;
    }
    call(
        node,
        null,
        before,
        bound.delete(node, applied(node)),
        outcome -> {
          if (outcome instanceof ActionOutcome.Done) {
            removed(node, how, before);
          } else {
            node.going = false;
            node.uncertain = true;
            notes.fail(
                node,
                ValueOperation.DELETE,
                before,
                null,
                thrown(outcome),
                how.recreate(),
                false,
                out);
          }
        });
  }

  private void removed(Node node, Removal how, ValueState before) {
    Object previous = node.applied;
    node.absent();
    node.failure = null;
    node.inherited = null;
    node.removed = how.why() != Why.PENDING;
    graph.settle(node);
    ValueOperation operation =
        how.instead() == null ? ValueOperation.DELETE : ValueOperation.UPDATE;
    notes.record(node, operation, before, previous, how.instead(), null, how.recreate(), false);
    if (how.why() == Why.GONE) {
      graph.drop(node);
    }
  }

  // ---- dependents ------------------------------------------------------------------------------

  /** Something has come: applies what waited for it. */
  void wake(Node node) {
    agenda.each(
        graph.dependents(node.path),
        dependent -> {
          Object wanted = dependent.desired;
          if (wanted != null
              && node.available()
              && !dependent.busy
              && applicable(dependent)
              && readiness.ready(dependent, dependent.needs)
              && !work.leave(dependent)) {
            apply(dependent, wanted, dependent.state(), false, new Result());
          }
        });
  }

  /** A failed value has been refreshed: whatever depends on it follows what was found. */
  void follow(Node node) {
    List<Runnable> tasks = new ArrayList<>();
    List<Node> all = new ArrayList<>(List.of(node));
    all.addAll(node.derived.values());
    for (Node one : all) {
      if (!one.available()) {
        tasks.add(() -> sleep(one, new Result()));
      } else if (one.desired != null || !one.north()) {
        tasks.add(() -> wake(one));
      }
    }
    agenda.next(tasks.toArray(Runnable[]::new));
  }

  /** Something has gone or is about to: takes away what cannot be without it. */
  private void sleep(Node node, Result out) {
    agenda.each(
        graph.dependents(node.path),
        dependent -> {
          if (out.failure == null
              && dependent.applied != null // also when nobody is sure of it
              && !dependent.going
              && !dependent.busy
              && dependent.north()
              && !readiness.ready(dependent, dependent.needs)
              && !work.leave(dependent)) {
            Why why = dependent.desired == null ? Why.GONE : Why.PENDING;
            remove(dependent, new Removal(why, false, false, null), dependent.state(), out);
          }
        });
  }

  /** A member of a cycle has failed: those that were applied in reliance on it go again. */
  private void sleepAround(Node node, Set<String> seen) {
    List<Runnable> tasks = new ArrayList<>();
    tasks.add(() -> sleep(node, new Result()));
    for (Node dependent : graph.dependents(node.path)) {
      if (!dependent.available() && seen.add(dependent.path)) {
        tasks.add(() -> sleepAround(dependent, seen));
      }
    }
    agenda.next(tasks.toArray(Runnable[]::new));
  }

  /** Whether a node that is not available could be applied now, but for its dependencies. */
  private boolean applicable(Node node) {
    return !node.available()
        && node.desired != null
        && !node.going
        && !node.removed
        && !node.hung
        && node.invalid.isEmpty()
        && node.bound != null
        && !node.bound.unknown
        && !node.bound.hung
        && (node.base == null || node.base.applied != null)
        && (work.reverting || node.broken != work.number);
  }

  // ---- calls and obstacles ---------------------------------------------------------------------

  /** Makes a call; a call that does not return ends the transaction (JT-4). */
  private void call(
      Node node,
      @Nullable Object wanted,
      ValueState before,
      Call call,
      Consumer<ActionOutcome> then) {
    if (work.dry) {
      then.accept(new ActionOutcome.Done(assumed(call, node), Duration.ZERO));
      return;
    }
    agenda.call(
        call,
        outcome -> {
          if (outcome instanceof ActionOutcome.TimedOut timedOut) {
            work.hangs.add(call, new Hangs.Hang(node, null, wanted));
            ValueOperation operation = ValueOperation.valueOf(call.kind().name());
            if (operation == ValueOperation.DELETE) {
              node.uncertain = true;
            }
            work.breakOff();
            notes.fail(node, operation, before, wanted, timedOut.limit());
          } else {
            then.accept(outcome);
          }
        });
  }

  /** What a call is taken to return that a dry run does not make. */
  private static Object assumed(Call call, Node node) {
    Object known = call.kind() == Action.Kind.UPDATE ? node.metadata : null;
    return known == null ? Bound.ASSUMED : known;
  }

  /** What must not be touched: hanging, frozen, or broken in this transaction (rule 33). */
  private boolean blocked(Node node, ValueOperation operation, ValueState before, Result out) {
    if (work.leave(node)) {
      return true;
    }
    if (node.hung || (node.bound != null && node.bound.hung)) {
      Failure failure =
          Failure.of(
                  node.owner,
                  notes.text(operation),
                  ErrorKind.BUSY,
                  "an earlier call has not returned; wait for it")
              .about(node.path, node.root().path);
      out.failure = failure;
      work.log.add(failure);
      work.again.failed(node, false); // a retry waits until the call has returned
      notes.record(node, operation, before, node.applied, node.desired, failure, false, true);
      return true;
    }
    if (!work.reverting && node.broken == work.number) {
      out.failure = node.failure;
      out.hopeless = node.hopeless;
      return true;
    }
    return false;
  }

  private static Object applied(Node node) {
    Object applied = node.applied;
    if (applied == null) {
      throw new IllegalStateException(node.path + " is not applied");
    }
    return applied;
  }

  private static Throwable thrown(ActionOutcome outcome) {
    return outcome instanceof ActionOutcome.Failed failed
        ? failed.thrown()
        : new IllegalStateException("unexpected outcome " + outcome);
  }
}
