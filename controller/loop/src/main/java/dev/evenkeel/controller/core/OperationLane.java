package dev.evenkeel.controller.core;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.Found;
import dev.evenkeel.api.handler.OperationLoader;
import dev.evenkeel.api.loop.HandlerRecord;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.txn.Results;
import dev.evenkeel.api.txn.StepRecord;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.txn.ActionOutcome;
import dev.evenkeel.txn.Cursor;
import dev.evenkeel.txn.TxnCollector;
import dev.evenkeel.txn.TxnEntry;
import dev.evenkeel.txn.operation.Admission;
import dev.evenkeel.txn.operation.Journal;
import dev.evenkeel.txn.operation.Loaded;
import dev.evenkeel.txn.operation.Operation;
import dev.evenkeel.txn.operation.OperationCore;
import dev.evenkeel.txn.operation.OperationReport;
import dev.evenkeel.txn.operation.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Operations in their three turns, ADMIT, PLAN and END, with a worker's visit between each two
 * (JT-2). Other events run between the turns. Core's thread only.
 *
 * <p>An operation is all or nothing, whatever transaction type its event names: a handler that
 * fails in PLAN reverts it, since its result may be stored only when it is complete. Values that it
 * puts are committed in END under its locks; together with steps or records they are refused, since
 * what was written to the journal could not be undone any more when they fail.
 */
final class OperationLane {
  private final LoopCore core;
  private final LoopParts parts;
  private final Chain chain;
  private final OperationCore operations;
  private final Journal journal;
  private final Set<Run> running = new LinkedHashSet<>();
  private final Visits visits;

  /** An operation between ADMIT and END. */
  private final class Run implements EventTurn.Planning, Visits.Visitor {
    final EventRun event;
    final Operation operation;
    final Set<String> held = new TreeSet<>();
    @Nullable Loaded loaded;
    long work;
    private boolean hangs;
    boolean recovered;

    Run(EventRun event, Operation operation) {
      this.event = event;
      this.operation = operation;
      operation.lane().locks().forEach(key -> held.add(key.id()));
    }

    @Override
    public void lock(LockKey key) {
      operations
          .lock(operation, key)
          .ifPresentOrElse(why -> Chain.refused(event, why), () -> held.add(key.id()));
    }

    @Override
    public <V> Optional<V> loaded(Key<V> key) {
      if (loaded == null) {
        throw new IllegalStateException("nothing was loaded");
      }
      return loaded.get(key);
    }

    @Override
    public boolean holds(String id) {
      return held.contains(id);
    }

    @Override
    public boolean isThere() {
      return running.contains(this);
    }

    @Override
    public boolean goesOn() {
      return core.life().goesOn(event);
    }

    @Override
    public boolean isHung() {
      return hangs;
    }

    @Override
    public void isHung(boolean hangs) {
      this.hangs = hangs;
    }
  }

  OperationLane(LoopCore core, LoopParts parts, Chain chain, LoopParts.Operations operations) {
    this.core = core;
    this.parts = parts;
    this.chain = chain;
    this.operations = operations.core();
    this.journal = operations.journal();
    this.visits = new Visits(parts.config().workers());
  }

  int running() {
    return running.size();
  }

  boolean isFrozen(String path) {
    return !running.isEmpty() && path.length() > 1 && operations.isPending(path.substring(1));
  }

  /** ADMIT. */
  void admit(EventRun event, Lane.Operation lane) {
    String transaction =
        Randomness.id(Randomness.of(core.seed(), event.id().number(), "loop", "transaction"));
    Admission admission =
        operations.admit((UpdateEvent) event.event(), lane, transaction, core.now());
    if (admission instanceof Admission.Refused refused) {
      refuse(event, refused.failure());
    } else if (admission instanceof Admission.Admitted admitted) {
      Run run = new Run(event, admitted.operation());
      running.add(run);
      event.whenDone = () -> gone(run);
      load(run, event.event(), loaded -> judge(run, loaded));
    }
  }

  private void refuse(EventRun event, Failure why) {
    event.failures.add(why);
    core.finish(event, new Outcome.Refused<>(event.id(), event.failures));
  }

  /** It has been answered for good, or nobody will answer it: everything is given back. */
  private void gone(Run run) {
    if (running.remove(run)) {
      operations.abandon(run.operation);
      core.thawed();
    }
  }

  // The visit between ADMIT and PLAN.

  private void load(Run run, Event event, Consumer<Loaded> then) {
    List<OperationLoader> loaders = loaders(event, run.operation.event());
    visits.visit(
        run,
        () ->
            run.work =
                core.dispatcher()
                    .call(
                        run.event,
                        operations.loading(run.operation, journal, loaders),
                        scope(run, run.operation.transaction(), NoResults.NONE),
                        outcome -> loaded(run, outcome, then),
                        late -> lateLoad(run)),
        () -> drop(run));
  }

  /** Those of the handlers that handle the event; the old event's are shown the old one. */
  private List<OperationLoader> loaders(Event event, Event current) {
    List<OperationLoader> loaders = new ArrayList<>();
    for (EventHandler handler : parts.handlers()) {
      if (handler instanceof OperationLoader loader && handlesQuietly(handler, event)) {
        loaders.add(
            event == current
                ? loader
                : (ignored, reader) -> loader.load((UpdateEvent) event, reader));
      }
    }
    return loaders;
  }

  /** What throws here throws again in PLAN, and is reported there. */
  private static boolean handlesQuietly(EventHandler handler, Event event) {
    try {
      return handler.handlesEvent(event);
    } catch (RuntimeException | Error thrown) {
      return false;
    }
  }

  private void loaded(Run run, ActionOutcome outcome, Consumer<Loaded> then) {
    if (outcome instanceof ActionOutcome.TimedOut timedOut) {
      visits.overdue(run);
      answerUnfinished(run, "load", timedOut.limit());
      return;
    }
    left(run);
    if (!core.life().goesOn(run.event)) {
      drop(run);
    } else if (outcome instanceof ActionOutcome.Done done
        && done.value() instanceof Loaded loaded) {
      run.loaded = loaded;
      then.accept(loaded);
    } else {
      Throwable thrown =
          outcome instanceof ActionOutcome.Failed failed
              ? failed.thrown()
              : new IllegalStateException("the loading gave nothing");
      refuse(run.event, Failure.of("operations", "load", thrown));
    }
  }

  private void lateLoad(Run run) {
    left(run);
    drop(run);
  }

  /** The event makes no progress any more, and has done nothing yet. */
  private void drop(Run run) {
    core.finish(run.event, core.life().dropped(run.event));
  }

  private void judge(Run run, Loaded loaded) {
    Verdict verdict = operations.judge(run.operation, loaded);
    if (!loaded.subject().equals(run.operation.lane().subject())) {
      run.held.add(loaded.subject());
    }
    if (verdict instanceof Verdict.Refuse refused) {
      refuse(run.event, refused.failure());
    } else if (verdict instanceof Verdict.Plan plan) {
      plan(run, plan.found());
    } else if (verdict instanceof Verdict.RecoverFirst first) {
      recover(run, first);
    }
  }

  // PLAN.

  private void plan(Run run, Found found) {
    EventRun event = run.event;
    event.found = found;
    event.transactionId = run.operation.transaction();
    event.txn(new TxnCollector(TxnCollector.Mode.OPERATION, parts.engine().values()));
    chain.select(event);
    core.chosen(event);
    if (isNobodys(event)) {
      refuse(event, nobody());
      return;
    }
    chain.run(event, run);
    core.planned(event);
    switch (event.stop) {
      case FATAL -> {
        core.finish(event, new Outcome.Refused<>(event.id(), event.failures));
        core.abort(event.failures.get(event.failures.size() - 1).toString());
      }
      case REFUSED, ABORTED, FAILED -> notBegun(event);
      case NONE -> carryOut(run, found);
    }
  }

  /**
   * Planning failed, and nothing was done on the outside: refused, if the handlers are as before.
   */
  private void notBegun(EventRun event) {
    boolean complete = chain.revert(event, true);
    core.finish(
        event,
        complete
            ? new Outcome.Refused<>(event.id(), event.failures)
            : new Outcome.Reverted<>(event.id(), event.failures, false));
    healIfIncomplete(event, complete);
  }

  /** Doing nothing would count as done, and be remembered so. */
  private static boolean isNobodys(EventRun event) {
    return event.selected().isEmpty() && event.stop == EventRun.Stop.NONE;
  }

  private static Failure nobody() {
    return Failure.of(
        "loop", "plan", ErrorKind.UNIMPLEMENTED, "no handler takes part in this operation");
  }

  private void healIfIncomplete(EventRun event, boolean complete) {
    if (event.stop == EventRun.Stop.FATAL) {
      core.abort(event.failures.get(event.failures.size() - 1).toString());
    } else if (!complete) {
      core.healing().needed(event);
    }
  }

  private void carryOut(Run run, Found found) {
    List<TxnEntry> entries = run.event.txn().entries();
    boolean values = entries.stream().anyMatch(OperationLane::isValue);
    if (values && entries.stream().allMatch(OperationLane::isValue)) {
      core.commitUnderLocks(run.event);
    } else if (values) {
      run.event.failures.add(
          Failure.of(
              "loop",
              "plan",
              ErrorKind.UNIMPLEMENTED,
              "an operation has either values or steps and records, not both"));
      notBegun(run.event);
    } else {
      script(
          run,
          run.operation.transaction(),
          operations.script(run.operation, found, entries, journal),
          this::ended,
          () -> dropPlanned(run));
    }
  }

  private static boolean isValue(TxnEntry entry) {
    return entry instanceof TxnEntry.Put<?> || entry instanceof TxnEntry.Delete;
  }

  // An interrupted operation of another kind is ended first (JT-13).

  private void recover(Run run, Verdict.RecoverFirst first) {
    if (run.recovered) {
      refuse(
          run.event,
          Failure.of(
              "operations",
              "recover",
              ErrorKind.FAILED_PRECONDITION,
              "what was interrupted before cannot be ended: " + first.intent().subject()));
      return;
    }
    run.recovered = true;
    load(run, first.old(), loaded -> recoverWith(run, loaded));
  }

  /** What was interrupted works under its own locks, too: its source, say, may be another one. */
  private boolean locksOf(UpdateEvent old, Run run) {
    if (old.spec().lane() instanceof Lane.Operation lane) {
      lane.locks().forEach(run::lock);
    }
    return run.event.stop == EventRun.Stop.NONE;
  }

  private void recoverWith(Run run, Loaded loaded) {
    if (!(operations.judge(run.operation, loaded) instanceof Verdict.RecoverFirst first)) {
      refuse(
          run.event,
          Failure.of(
              "operations", "recover", ErrorKind.BUSY, "the journal has changed: repeat it"));
      return;
    }
    if (!locksOf(first.old(), run)) {
      core.finish(run.event, new Outcome.Refused<>(run.event.id(), run.event.failures));
      return;
    }
    EventRun old = core.own().shadow(run.event, first.old());
    old.found = new Found.Interrupted(first.intent());
    old.transactionId = first.intent().transaction();
    old.txn(new TxnCollector(TxnCollector.Mode.OPERATION, parts.engine().values()));
    chain.select(old);
    if (isNobodys(old)) {
      refuse(run.event, nobody());
      return;
    }
    chain.run(old, run);
    for (HandlerRecord call : old.calls.list(old.chain())) {
      run.event.calls.add(run.event.chain(), call);
    }
    List<TxnEntry> entries = old.txn().entries().stream().filter(entry -> !isValue(entry)).toList();
    if (old.stop != EventRun.Stop.NONE || run.event.stop != EventRun.Stop.NONE) {
      boolean complete = chain.revert(old, true);
      run.event.failures.addAll(old.failures);
      core.finish(run.event, new Outcome.Refused<>(run.event.id(), run.event.failures));
      healIfIncomplete(old, complete);
      return;
    }
    script(
        run,
        first.intent().transaction(),
        operations.recovery(run.operation, first.intent(), first.forward(), entries, journal),
        (r, report, results) -> recovered(r, old, first.forward(), report),
        () -> {
          takeBackOld(run, old);
          drop(run);
        });
  }

  private void recovered(Run run, EventRun old, boolean forward, OperationReport report) {
    boolean done =
        report.outcome() == (forward ? TransactionOutcome.APPLIED : TransactionOutcome.REVERTED);
    if (forward && done) {
      old.undo.forget();
    } else {
      takeBackOld(run, old);
    }
    run.event.recoverySteps.addAll(report.steps());
    if (done && core.life().goesOn(run.event)) {
      load(run, run.event.event(), loaded -> judge(run, loaded));
      return;
    }
    run.event.failures.addAll(report.failures());
    core.finish(
        run.event,
        done
            ? core.life().dropped(run.event)
            : new Outcome.Reverted<>(run.event.id(), run.event.failures, false));
  }

  /** The handlers' part of the old event; what cannot be put back is on the record, and healed. */
  private void takeBackOld(Run run, EventRun old) {
    int before = old.failures.size();
    boolean complete = chain.revert(old, false);
    for (Failure why : old.failures.subList(before, old.failures.size())) {
      run.event.calls.add(
          run.event.chain(),
          new HandlerRecord(why.owner(), true, "", Optional.of(why), Duration.ZERO));
    }
    healIfIncomplete(old, complete);
  }

  // The visit between PLAN and END, and END.

  /** Takes a script's report. */
  private interface End {
    void take(Run run, OperationReport report, Results results);
  }

  private void script(
      Run run, String transaction, Cursor<OperationReport> cursor, End end, Runnable dropped) {
    visits.visit(
        run,
        () ->
            run.work =
                core.dispatcher()
                    .script(
                        run.event,
                        cursor,
                        scope(run, transaction, cursor.results()),
                        outcome -> {
                          left(run);
                          ScriptEnd all = endOf(outcome);
                          end.take(run, all.report(), all.results());
                        },
                        (target, limit) -> {
                          visits.overdue(run);
                          answerUnfinished(run, target, limit);
                        }),
        dropped);
  }

  /** Planned, and not begun: the handlers are put back, and the event is dropped. */
  private void dropPlanned(Run run) {
    boolean complete = takeBack(run.event);
    drop(run);
    healIfIncomplete(run.event, complete);
  }

  private static ScriptEnd endOf(ActionOutcome outcome) {
    if (outcome instanceof ActionOutcome.Done done && done.value() instanceof ScriptEnd end) {
      return end;
    }
    Failure why =
        outcome instanceof ActionOutcome.Failed failed
            ? Failure.of("operations", "run", failed.thrown())
            : Failure.of("operations", "run", ErrorKind.INTERNAL, "the script gave no report");
    return new ScriptEnd(
        new OperationReport(TransactionOutcome.REVERT_INCOMPLETE, List.of(), List.of(why)),
        NoResults.NONE);
  }

  private void ended(Run run, OperationReport report, Results results) {
    EventRun event = run.event;
    List<StepRecord> steps = new ArrayList<>(event.recoverySteps);
    steps.addAll(report.steps());
    event.failures.addAll(report.failures());
    event.transaction =
        Optional.of(
            new TransactionResult(-1, report.outcome(), List.of(), steps, report.failures()));
    Outcome<?> outcome;
    boolean complete = true;
    switch (report.outcome()) {
      case APPLIED, APPLIED_WITH_FAILURES -> {
        event.undo.forget();
        Optional<Object> answer = Answers.of(event, results);
        outcome = new Outcome.Applied<>(event.id(), answer, event.failures);
      }
      case REJECTED, CANCELLED -> {
        complete = takeBack(event);
        outcome = new Outcome.Refused<>(event.id(), event.failures);
      }
      default -> {
        complete = takeBack(event);
        boolean back = complete && report.outcome() == TransactionOutcome.REVERTED;
        outcome = new Outcome.Reverted<>(event.id(), event.failures, back);
      }
    }
    operations.end(run.operation, report, core.now());
    core.finish(event, outcome);
    healIfIncomplete(event, complete);
  }

  /** The handlers' part; an aborting loop calls no handlers (JT-18). */
  private boolean takeBack(EventRun event) {
    return chain.revert(event, !core.life().isAborting());
  }

  // Visits.

  private void left(Run run) {
    run.work = 0;
    visits.left(run);
  }

  private void answerUnfinished(Run run, String target, Duration limit) {
    core.endings()
        .answerEarly(
            run.event,
            Chain.loop(
                "wait for " + target,
                ErrorKind.DEADLINE_EXCEEDED,
                "has not returned within " + limit + " and goes on: repeat the same request"));
  }

  /** The event's deadline has passed, or the loop is closed without it. */
  void giveUp(EventRun event, Failure why) {
    core.endings().answerEarly(event, why);
    for (Run run : running) {
      if (run.event == event && run.work != 0) {
        core.dispatcher().cancel(run.work);
      }
    }
  }

  /**
   * A turn of that event has failed in the middle: unless a worker is still at it, no other turn
   * will end it.
   */
  void broken(EventRun event, Failure why) {
    for (Run run : List.copyOf(running)) {
      if (run.event == event && !core.dispatcher().isUnderWay(run.work)) {
        event.failures.add(why);
        core.finish(event, new Outcome.Unfinished<>(event.id(), event.failures));
      }
    }
  }

  /** Every event between ADMIT and END, oldest first. */
  List<EventRun> events() {
    return running.stream().map(run -> run.event).toList();
  }

  private Work.Scope scope(Run run, String transaction, Results results) {
    return new Work.Scope(
        transaction, run.event.secrets, results, run.event.epoch, parts.config().stepLimit());
  }
}
