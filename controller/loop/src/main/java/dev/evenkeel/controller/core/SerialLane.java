package dev.evenkeel.controller.core;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.event.ExternalChange;
import dev.evenkeel.api.event.ExternalResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.event.Notification;
import dev.evenkeel.api.event.StateChange;
import dev.evenkeel.api.loop.ExternalSource;
import dev.evenkeel.api.loop.HandlerRecord;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.txn.ObserveValues;
import dev.evenkeel.api.txn.ObservedValues;
import dev.evenkeel.api.txn.OperationFlag;
import dev.evenkeel.api.txn.Results;
import dev.evenkeel.api.txn.StepRecord;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueReader;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.ActionOutcome;
import dev.evenkeel.txn.Cursor;
import dev.evenkeel.txn.TxnCollector;
import dev.evenkeel.txn.TxnEntry;
import dev.evenkeel.txn.engine.EngineTransaction;
import dev.evenkeel.txn.engine.ValueWatchers;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A serial event from its first turn to its end (JT-1, EL A4): caches, handlers, merge, commit,
 * revert. It owns the loop meanwhile. Core's thread only.
 */
final class SerialLane {
  static final SortedMap<String, Key<?>> NOTHING = Collections.emptySortedMap();

  private final LoopCore core;
  private final LoopParts parts;
  private final Chain chain;
  private final InputCaches caches;
  private final ExternalMerge merge;

  private SortedMap<String, Key<?>> changed = NOTHING;
  private @Nullable Cursor<TransactionResult> cursor;

  /** The values before the transaction, if somebody watches. */
  private @Nullable ValueReader before;

  private long work;

  SerialLane(LoopCore core, LoopParts parts, Chain chain, InputCaches caches) {
    this.core = core;
    this.parts = parts;
    this.chain = chain;
    this.caches = caches;
    this.merge = new ExternalMerge(parts.descriptors(), caches);
  }

  void begin(EventRun run) {
    clear();
    Optional<Failure> fault = run.fault.isPresent() ? run.fault : contentFault(run);
    if (fault.isPresent()) {
      run.failures.add(fault.get());
      core.finish(run, refused(run));
      return;
    }
    if (run.event() instanceof EngineUpkeep upkeep) {
      run.txn(new TxnCollector(TxnCollector.Mode.SERIAL, parts.engine().values()));
      if (upkeep.retry() && !core.retrying().isDue()) {
        applied(run); // what was due hangs or is under a lock by now
        return;
      }
      begin(run, () -> upkeep(upkeep));
      return;
    }
    if (run.event() instanceof ObserveValues ask) {
      run.txn(new TxnCollector(TxnCollector.Mode.SERIAL, parts.engine().values()));
      look(run, parts.engine().beginObservation(ask), new ActionOutcome.Start());
      return;
    }
    if (run.isResync()) {
      core.resyncBegins(run);
    }
    changes(caches.accept(run.event()));
    if (run.event() instanceof DatastoreResync) {
      askSource(run, 0);
    } else {
      handlers(run);
    }
  }

  /** What is wrong with an event of the framework's own: users fill them, too (EW-7). */
  private Optional<Failure> contentFault(EventRun run) {
    try {
      return askedFault(run);
    } catch (VirtualMachineError fatal) {
      throw fatal;
    } catch (RuntimeException | Error thrown) {
      return Optional.of(LoopInput.Submitted.askingFailed(thrown));
    }
  }

  private Optional<Failure> askedFault(EventRun run) {
    Optional<Failure> unknown = sourceFault(run);
    if (unknown.isPresent()) {
      return unknown;
    }
    if (run.event() instanceof StateChange change) {
      Optional<? extends Key<?>> key = change.kind().parse(change.key());
      if (key.isEmpty()) {
        return invalid(change.key() + " is no key of " + change.kind());
      }
      if (!fits(change.kind(), change.current())) {
        return invalid("the value of " + change.key() + " is none of " + change.kind());
      }
    } else if (run.event() instanceof ExternalChange change) {
      for (var entry : change.changes().entrySet()) {
        if (!fits(entry.getKey().type(), entry.getValue())) {
          return invalid("the value of " + entry.getKey().path() + " is none of its key");
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Failure> sourceFault(EventRun run) {
    return run.event() instanceof ExternalChange change
        ? caches.fault(change.source())
        : run.event() instanceof ExternalResync resync
            ? caches.fault(resync.source())
            : Optional.empty();
  }

  private static boolean fits(KeyType<?> type, Optional<Object> value) {
    return value.isEmpty() || type.valueType().isInstance(value.get());
  }

  private static Optional<Failure> invalid(String why) {
    return Optional.of(Chain.loop("push", ErrorKind.INVALID, why));
  }

  /** Reads the external sources, one after another; one that fails keeps what it had (EL 17). */
  private void askSource(EventRun run, int index) {
    if (index == parts.sources().size()) {
      handlers(run);
      return;
    }
    ExternalSource source = parts.sources().get(index);
    work =
        core.dispatcher()
            .call(
                run,
                new SourceAction(source),
                scope(run, null),
                outcome -> {
                  work = 0;
                  answered(run, source, outcome);
                  if (core.life().goesOn(run)) {
                    askSource(run, index + 1);
                  } else {
                    core.finish(run, core.life().dropped(run));
                  }
                },
                late -> {});
  }

  private void answered(EventRun run, ExternalSource source, ActionOutcome outcome) {
    String name = "external " + source.name();
    if (outcome instanceof ActionOutcome.Done done && done.value() instanceof InputState state) {
      caches.replace(source.name(), state.values());
      return;
    }
    Failure failure =
        outcome instanceof ActionOutcome.Failed failed
            ? Failure.of(name, "snapshot", failed.thrown())
            : Failure.of(name, "snapshot", ErrorKind.DEADLINE_EXCEEDED, "has not answered");
    run.calls.add(
        run.chain(),
        new HandlerRecord(name, false, "keeps what it had", Optional.of(failure), Duration.ZERO));
  }

  private void handlers(EventRun run) {
    run.txn(
        run.isResync() ? TxnCollector.Mode.RESYNC : TxnCollector.Mode.SERIAL,
        parts.engine().values());
    chain.select(run);
    core.chosen(run);
    core.verifying().begins(run);
    chain.run(run, null);
    core.verifying().ends(run);
    core.planned(run);
    switch (run.stop) {
      case FATAL -> {
        core.finish(run, refused(run));
        core.abort(run.failures.get(run.failures.size() - 1).toString());
      }
      case ABORTED -> takeBack(run, true);
      case FAILED, REFUSED -> takeBack(run, false);
      case NONE -> commit(run);
    }
  }

  /** Nothing was committed: puts back what the handlers did. */
  private void takeBack(EventRun run, boolean heal) {
    boolean complete = chain.revert(run, run.reverts());
    Outcome<?> outcome =
        run.reverts() ? new Outcome.Reverted<>(run.id(), run.failures, complete) : refused(run);
    core.finish(run, outcome);
    afterRevert(run, complete, heal);
  }

  private void afterRevert(EventRun run, boolean complete, boolean heal) {
    if (run.stop == EventRun.Stop.FATAL) {
      core.abort(run.failures.get(run.failures.size() - 1).toString());
    } else if (heal || !complete) {
      core.healing().needed(run);
    }
  }

  private void commit(EventRun run) {
    if (run.isResync() && someHandlerNeverHadAny(run)) {
      run.undo.forget();
      core.finish(run, refused(run));
      core.healing().needed(run);
      return;
    }
    if (wantsNothing(run)) {
      applied(run);
      return;
    }
    List<TxnEntry> entries;
    try {
      entries = effective(run);
    } catch (EvenkeelException unmerged) {
      rejected(run, Failure.of("engine", "merge", unmerged));
      return;
    }
    if (run.event() instanceof Notification notification) {
      begin(run, () -> parts.engine().beginNotification(notification, core::isFrozen, core.now()));
    } else if (entries.isEmpty() && !run.isResync()) {
      merge.updated(run.txn().entries());
      applied(run);
    } else {
      begin(run, () -> parts.engine().begin(transaction(run, entries)));
    }
  }

  private boolean wantsNothing(EventRun run) {
    return !run.isResync()
        && run.txn().isEmpty()
        && changed.isEmpty()
        && !(run.event() instanceof Notification);
  }

  /** The values of an operation, under its locks. */
  void commitUnderLocks(EventRun run) {
    clear();
    commit(run);
  }

  private void clear() {
    cursor = null;
    work = 0;
    changes(NOTHING);
  }

  @SuppressWarnings("ReferenceEquality") // the same object need not be stored again
  private void changes(SortedMap<String, Key<?>> now) {
    if (changed != now) {
      changed = now;
    }
  }

  private Cursor<TransactionResult> upkeep(EngineUpkeep upkeep) {
    if (upkeep.retry()) {
      return parts
          .engine()
          .planned(() -> parts.engine().beginRetry(core::isFrozen, core.now())); // rule 41
    }
    return upkeep
        .returned()
        .map(r -> parts.engine().beginReturned(r.action(), r.outcome(), core::isFrozen, core.now()))
        .orElseGet(() -> parts.engine().beginDirty(core::isFrozen, core.now()));
  }

  /** What the engine does not accept is the event's failure; nothing was done. */
  private void begin(EventRun run, Supplier<Cursor<TransactionResult>> transaction) {
    ValueWatchers watchers = core.watchers();
    before = watchers == null || watchers.isEmpty() ? null : parts.engine().values();
    try {
      cursor = transaction.get();
    } catch (EvenkeelException | IllegalArgumentException | IllegalStateException refusal) {
      rejected(run, Failure.of("engine", "begin", refusal));
      return;
    }
    advance(run, new ActionOutcome.Start());
  }

  private void rejected(EventRun run, Failure why) {
    run.failures.add(why);
    committed(
        run,
        new TransactionResult(-1, TransactionOutcome.REJECTED, List.of(), List.of(), List.of(why)));
  }

  /** A failed handler's keys keep their last good values; without any, nothing is committed. */
  private boolean someHandlerNeverHadAny(EventRun run) {
    return run.failedHandlers.stream()
        .anyMatch(name -> !core.everContributed(name) && !merge.owns(name));
  }

  private List<TxnEntry> effective(EventRun run) {
    List<TxnEntry> entries = run.txn().entries();
    if (run.method() == EventMethod.DOWNSTREAM_RESYNC) {
      return entries;
    }
    if (run.isResync()) {
      return merge.ofResync(entries, run.failedHandlers);
    }
    String source = run.event() instanceof ExternalChange c ? c.source() : InputCaches.DB;
    return merge.ofUpdate(entries, changed, source);
  }

  private EngineTransaction transaction(EventRun run, List<TxnEntry> entries) {
    String description =
        run.changes.isEmpty()
            ? run.typeName()
            : run.typeName() + "\n* " + String.join("\n* ", run.changes);
    return new EngineTransaction(
        run.method(),
        !run.isResync() && run.reverts(),
        description,
        entries,
        run.isResync() ? run.failedHandlers : Set.of(),
        core::isFrozen,
        run.lane() == null ? parts.config().retry() : Optional.empty(),
        core.now());
  }

  private void advance(EventRun run, ActionOutcome outcome) {
    Cursor<TransactionResult> running = cursor;
    if (running == null || core.life().isAborting()) {
      return;
    }
    Cursor.Next<TransactionResult> next = running.next(outcome);
    if (next instanceof Cursor.Next.Act<TransactionResult> act) {
      work =
          core.dispatcher()
              .call(
                  run,
                  act.action(),
                  scope(run, running.results()),
                  back -> advance(run, back),
                  late -> returnedLate(act.action(), late));
    } else if (next instanceof Cursor.Next.End<TransactionResult> end) {
      work = 0;
      run.failures.addAll(end.result().failures());
      committed(run, end.result());
    }
  }

  /** Nothing but a look: what cannot be seen is told by the answer, and is no failure. */
  private void look(EventRun run, Cursor<ObservedValues> looking, ActionOutcome outcome) {
    if (core.life().isAborting()) {
      return;
    }
    Cursor.Next<ObservedValues> next = looking.next(outcome);
    if (next instanceof Cursor.Next.Act<ObservedValues> act) {
      work =
          core.dispatcher()
              .call(
                  run,
                  act.action(),
                  scope(run, looking.results()),
                  back -> look(run, looking, back),
                  late -> returnedLate(act.action(), late));
    } else if (next instanceof Cursor.Next.End<ObservedValues> end) {
      work = 0;
      run.answer = results -> end.result();
      run.answerBy = "engine";
      applied(run);
    }
  }

  /** A call that nobody waits for any more is the engine's, when it may act again (JT-4). */
  private void returnedLate(Action action, ActionOutcome late) {
    if (!core.ended() && !core.life().isAborting()) {
      core.own().returnedLate(action, late);
    }
  }

  private Work.Scope scope(EventRun run, @Nullable Results results) {
    return new Work.Scope(
        run.transactionId(),
        run.secrets,
        results == null ? NoResults.NONE : results,
        run.epoch,
        parts.config().stepLimit());
  }

  /** The event's time is over: what runs goes on, and nobody waits for it (JT-4). */
  void giveUp(Duration limit) {
    if (work != 0) {
      long hung = work;
      core.dispatcher().giveUp(hung, limit);
    }
  }

  /** Whether a call of the transaction is under way. */
  boolean isActing() {
    return cursor != null && work != 0;
  }

  private void committed(EventRun run, TransactionResult result) {
    ended(run, result);
    tell(result);
    if (EngineUpkeep.isReturn(run)) {
      core.thawed();
    }
  }

  /** After the event's answer. */
  private void tell(TransactionResult result) {
    ValueReader from = before;
    ValueWatchers watchers = core.watchers();
    if (from != null && watchers != null) {
      before = null;
      watchers.changed(result, from, parts.engine().values());
    }
  }

  private void ended(EventRun run, TransactionResult result) {
    run.transaction = Optional.of(result);
    TransactionOutcome outcome = result.outcome();
    switch (outcome) {
      case APPLIED, APPLIED_WITH_FAILURES -> {
        remember(run);
        applied(run);
      }
      case UNFINISHED -> {
        remember(run);
        run.undo.forget();
        core.finish(run, new Outcome.Unfinished<>(run.id(), run.failures));
        core.healing().needed(run);
      }
      case REVERTED, REVERT_INCOMPLETE, REJECTED, CANCELLED -> failed(run, result);
    }
    core.committed(run);
  }

  private void failed(EventRun run, TransactionResult result) {
    TransactionOutcome outcome = result.outcome();
    if (!run.reverts()) {
      run.undo.forget();
      core.finish(run, refused(run));
      healUnlessIgnored(run);
      return;
    }
    boolean handlers = chain.revert(run, true);
    boolean complete = handlers && outcome != TransactionOutcome.REVERT_INCOMPLETE;
    core.finish(run, new Outcome.Reverted<>(run.id(), run.failures, complete));
    List<Failure> values = notPutBack(result);
    if (handlers && run.stop != EventRun.Stop.FATAL && !values.isEmpty()) {
      core.retrying().failed(run, values, true);
    } else {
      afterRevert(run, complete, false);
    }
  }

  /** Failures of values that could not be put back, if it is they alone (rule 36, JT-12). */
  private static List<Failure> notPutBack(TransactionResult result) {
    if (result.steps().stream().anyMatch(s -> s.act() == StepRecord.Act.UNDO_FAILED)) {
      return List.of();
    }
    return result.operations().stream()
        .filter(operation -> operation.flags().contains(OperationFlag.REVERT))
        .flatMap(operation -> operation.failure().stream())
        .toList();
  }

  private void remember(EventRun run) {
    if (run.method() == EventMethod.DOWNSTREAM_RESYNC) {
      return;
    }
    List<TxnEntry> entries = run.txn().entries();
    if (run.isResync()) {
      merge.resynced(entries, run.failedHandlers);
      run.succeeded.stream().forEach(at -> core.contributed(run.chain().get(at)));
    } else {
      merge.updated(entries);
    }
  }

  private void applied(EventRun run) {
    run.undo.forget();
    Optional<Object> answer = Answers.of(run, results());
    boolean clean = run.failures.isEmpty();
    List<Failure> differences = core.verifying().differences(run);
    if (!differences.isEmpty()) {
      run.failures.addAll(differences);
    }
    List<Failure> failures = run.failures.isEmpty() ? List.of() : run.failures;
    core.finish(run, new Outcome.Applied<>(run.id(), answer, failures));
    if (clean) {
      core.succeeded(run);
    } else {
      healUnlessIgnored(run);
    }
  }

  private Results results() {
    Cursor<TransactionResult> ran = cursor;
    return ran == null ? NoResults.NONE : ran.results();
  }

  private void healUnlessIgnored(EventRun run) {
    boolean heal =
        switch (run.type()) {
          case BEST_EFFORT -> !onlyExternal(run) && run.method() != EventMethod.DOWNSTREAM_RESYNC;
          case BEST_EFFORT_IGNORE_ERRORS -> false;
          case REVERT_ON_FAILURE -> true;
        };
    core.retrying().failed(run, run.failures, heal);
  }

  /** Whether only values failed that no handler wants (EL 26, EW-8). */
  private boolean onlyExternal(EventRun run) {
    return !run.isResync()
        && run.failures.stream()
            .allMatch(f -> f.base().filter(base -> !merge.isInternal(base)).isPresent());
  }

  private static Outcome<?> refused(EventRun run) {
    return new Outcome.Refused<>(run.id(), run.failures);
  }
}
