package dev.evenkeel.txn.operation;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.txn.RecordPhase;
import dev.evenkeel.api.txn.Results;
import dev.evenkeel.api.txn.StepRecord;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.txn.ActionOutcome;
import dev.evenkeel.txn.Cursor;
import dev.evenkeel.txn.TxnEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The run of one operation: intent, steps, result, or the way back. No I/O of its own; one visit of
 * a worker drives it. Each method takes what came out of the last action and says what comes next;
 * {@link #then} is where it goes on.
 *
 * <p>What holds at every point: the intent is durable before the first effect and stays until the
 * batch that ends it; a step is probed before it is applied; an undo is done only to what this
 * operation did, or may have done under its own open intent (JT-3); when it is not known what is
 * there, nothing more is done and the intent stays, so that a repeat finds out by probing. A crash
 * between any two actions is the same as stopping there.
 */
final class Script implements Cursor<OperationReport> {
  private final Operation operation;
  private final ScriptPlan plan;
  private final RunResults results = new RunResults();
  private final ScriptRecords records;
  private final List<StepRun<?>> steps = new ArrayList<>();
  private final List<StepRecord> report = new ArrayList<>();
  private final List<Failure> failures = new ArrayList<>();
  private Journal.@Nullable Begun begun;
  private boolean journalling;
  private Then then = outcome -> start();

  /** Where the script goes on with an outcome. */
  @FunctionalInterface
  private interface Then {
    Next<OperationReport> after(ActionOutcome outcome);
  }

  Script(Operation operation, ScriptPlan plan, List<TxnEntry> entries) {
    this.operation = operation;
    this.plan = plan;
    List<TxnEntry.Records> sources = new ArrayList<>();
    for (TxnEntry entry : entries) {
      if (entry instanceof TxnEntry.Act act) {
        StepRun<?> run = new StepRun<>(act.owner(), act.step());
        if (plan.mode().owns()) {
          run.ours();
        }
        steps.add(run);
      } else if (entry instanceof TxnEntry.Records source) {
        sources.add(source);
      }
    }
    this.records = new ScriptRecords(plan.subject(), sources, results);
  }

  @Override
  public Results results() {
    return results;
  }

  @Override
  public Next<OperationReport> next(ActionOutcome outcome) {
    return outcome instanceof ActionOutcome.TimedOut late ? unfinished(late) : then.after(outcome);
  }

  private Next<OperationReport> start() {
    return switch (plan.mode()) {
      case REPEAT -> forward(0);
      case UNDO -> {
        begun = plan.begun();
        yield look(0, steps.size());
      }
      case NEW, RESUME ->
          plan.isNothing(steps, records) ? end(TransactionOutcome.APPLIED) : begin();
    };
  }

  private Next<OperationReport> begin() {
    return journal(
        records.write(RecordPhase.INTENT, "begin", plan::begin),
        outcome -> {
          if (outcome instanceof ActionOutcome.Done done) {
            begun = (Journal.Begun) done.value();
            return forward(0);
          }
          return rejected(ScriptRecords.failure("begin", thrown(outcome)));
        });
  }

  // Forward.

  private Next<OperationReport> forward(int index) {
    if (index == steps.size()) {
      return plan.mode() == ScriptPlan.Mode.REPEAT ? tidy() : succeed();
    }
    return act(steps.get(index).probe(), outcome -> probed(index, outcome));
  }

  private Next<OperationReport> probed(int index, ActionOutcome outcome) {
    StepRun<?> step = steps.get(index);
    if (!(outcome instanceof ActionOutcome.Done done)) {
      failed(step, "probe", StepRecord.Act.FAILED, outcome);
      return plan.mode() == ScriptPlan.Mode.REPEAT
          ? end(TransactionOutcome.REJECTED)
          : look(plan.mode().owns() ? index : steps.size(), steps.size());
    }
    step.probed(done.value());
    if (step.isComplete()) {
      results.put(step.name(), step.value());
      record(step, StepRecord.Act.ADOPTED, Optional.empty(), done.took());
      return forward(index + 1);
    }
    if (plan.mode() == ScriptPlan.Mode.REPEAT) {
      return rejected(missing(step));
    }
    step.ours();
    return act(step.apply(), applied -> applied(index, applied));
  }

  private static Failure missing(StepRun<?> step) {
    boolean partly = step.isThere();
    return Failure.of(
        step.owner(),
        "probe " + step.name(),
        partly ? ErrorKind.FAILED_PRECONDITION : ErrorKind.NOT_FOUND,
        "what was completed once is "
            + (partly ? "damaged" : "gone")
            + ", and is not made again by a repeat");
  }

  private Next<OperationReport> applied(int index, ActionOutcome outcome) {
    StepRun<?> step = steps.get(index);
    if (!(outcome instanceof ActionOutcome.Done done)) {
      failed(step, "apply", StepRecord.Act.FAILED, outcome);
      return look(index, plan.mode().owns() ? steps.size() : index + 1);
    }
    step.applied(done.value());
    results.put(step.name(), step.value());
    record(step, StepRecord.Act.DONE, Optional.empty(), done.took());
    return forward(index + 1);
  }

  /** After a crash between the two last writes of a store without batches the intent is left. */
  private Next<OperationReport> tidy() {
    if (!plan.isLeftOver()) {
      return end(TransactionOutcome.APPLIED);
    }
    return journal(
        records.nothing("tidy", plan::tidy),
        outcome ->
            outcome instanceof ActionOutcome.Done
                ? end(TransactionOutcome.APPLIED)
                : rejected(ScriptRecords.failure("tidy", thrown(outcome))));
  }

  private Next<OperationReport> succeed() {
    Journal.Begun open = open();
    return journal(
        records.write(RecordPhase.SUCCESS, "complete", batch -> plan.succeed(open, batch)),
        outcome -> {
          if (outcome instanceof ActionOutcome.Done) {
            return end(TransactionOutcome.APPLIED);
          }
          Throwable thrown = thrown(outcome);
          failures.add(ScriptRecords.failure("complete", thrown));
          // Otherwise the write may have happened, or may yet: a repeat finds all done and writes.
          return ScriptRecords.isRecordsFault(thrown)
              ? look(steps.size(), steps.size())
              : end(TransactionOutcome.REVERT_INCOMPLETE);
        });
  }

  // The way back: look what is there, where that is not known; then undo in reverse.

  private Next<OperationReport> look(int index, int until) {
    if (index >= until) {
      return notUndoable().map(this::stay).orElseGet(() -> undo(steps.size() - 1));
    }
    return act(steps.get(index).probe(), outcome -> looked(index, until, outcome));
  }

  private Next<OperationReport> looked(int index, int until, ActionOutcome outcome) {
    StepRun<?> step = steps.get(index);
    if (outcome instanceof ActionOutcome.Done done) {
      step.probed(done.value());
      if (step.isComplete()) {
        results.put(step.name(), step.value());
      }
    } else if (RunResults.NotRunException.isBehind(thrown(outcome)) && gapBefore(index)) {
      // It needs the result of a step that is not complete: so it was never reached.
      step.absent();
    } else {
      failed(step, "probe", StepRecord.Act.UNDO_FAILED, outcome);
      return uncertain();
    }
    return look(index + 1, until);
  }

  private boolean gapBefore(int index) {
    return steps.subList(0, index).stream().anyMatch(step -> !step.isComplete());
  }

  private Optional<StepRun<?>> notUndoable() {
    return steps.stream().filter(s -> s.isOurs() && s.isThere() && !s.undoable()).findFirst();
  }

  private Next<OperationReport> stay(StepRun<?> step) {
    failures.add(
        Failure.of(
            step.owner(),
            "undo " + step.name(),
            ErrorKind.FAILED_PRECONDITION,
            "step " + step.name() + " cannot be undone: repeat the request to complete it"));
    return uncertain();
  }

  private Next<OperationReport> undo(int index) {
    if (index < 0) {
      return undone();
    }
    StepRun<?> step = steps.get(index);
    return step.isOurs() && step.isThere()
        ? act(step.undo(), outcome -> undone(index, outcome))
        : undo(index - 1);
  }

  private Next<OperationReport> undone(int index, ActionOutcome outcome) {
    StepRun<?> step = steps.get(index);
    if (outcome instanceof ActionOutcome.Done done) {
      record(step, StepRecord.Act.UNDONE, Optional.empty(), done.took());
      return undo(index - 1);
    }
    failed(step, "undo", StepRecord.Act.UNDO_FAILED, outcome);
    return uncertain();
  }

  private Next<OperationReport> undone() {
    if (plan.mustGoOn()) {
      return uncertain();
    }
    Journal.Begun open = open();
    return journal(
        records.write(RecordPhase.UNDONE, "end of undo", batch -> plan.undone(open, batch)),
        outcome -> {
          if (outcome instanceof ActionOutcome.Done) {
            return end(TransactionOutcome.REVERTED);
          }
          failures.add(ScriptRecords.failure("end of undo", thrown(outcome)));
          return end(TransactionOutcome.REVERT_INCOMPLETE);
        });
  }

  private Next<OperationReport> uncertain() {
    return note(outcome -> end(TransactionOutcome.REVERT_INCOMPLETE));
  }

  /**
   * Not when ending another operation: that one's records say already that it is not complete, or
   * are gone, and then what is planned here was never reserved, and a note would be left for ever.
   */
  private Next<OperationReport> note(Then after) {
    Journal.Begun open = begun;
    if (open == null
        || plan.mode() == ScriptPlan.Mode.UNDO
        || !records.has(RecordPhase.UNCERTAIN)) {
      return after.after(new ActionOutcome.Start());
    }
    return journal(
        records.write(RecordPhase.UNCERTAIN, "note", batch -> plan.uncertain(open, batch)),
        outcome -> {
          if (!(outcome instanceof ActionOutcome.Done)) {
            failures.add(ScriptRecords.failure("note", thrown(outcome)));
          }
          return after.after(outcome);
        });
  }

  /** The call still runs: its return is taken as if nothing had been between (JT-4). */
  private Next<OperationReport> unfinished(ActionOutcome.TimedOut late) {
    Then goOn = then;
    String stage = operation.stage().orElse("run");
    Failure failure =
        Failure.of(
            CallAction.JOURNAL,
            stage,
            ErrorKind.DEADLINE_EXCEEDED,
            "has not returned within " + late.limit() + " and still runs");
    OperationReport soFar =
        new OperationReport(TransactionOutcome.UNFINISHED, report, List.of(failure));
    Then stop =
        noted -> {
          then = goOn;
          operation.stage(stage);
          return new Next.End<>(soFar);
        };
    return journalling ? stop.after(late) : note(stop);
  }

  // Small parts.

  private Journal.Begun open() {
    if (begun == null) {
      throw new IllegalStateException("no intent is open for " + operation);
    }
    return begun;
  }

  private Next<OperationReport> act(CallAction action, Then after) {
    journalling = false;
    operation.stage(action.stage());
    then = after;
    return new Next.Act<>(action);
  }

  private Next<OperationReport> journal(CallAction action, Then after) {
    Next<OperationReport> next = act(action, after);
    journalling = true;
    return next;
  }

  private static Throwable thrown(ActionOutcome outcome) {
    if (outcome instanceof ActionOutcome.Failed failed) {
      return failed.thrown();
    }
    throw new IllegalStateException("not an outcome of an action: " + outcome);
  }

  private void failed(StepRun<?> step, String verb, StepRecord.Act act, ActionOutcome outcome) {
    Failure failure = Failure.of(step.owner(), verb + " " + step.name(), thrown(outcome));
    failures.add(failure);
    Duration took = outcome instanceof ActionOutcome.Failed f ? f.took() : Duration.ZERO;
    record(step, act, Optional.of(failure), took);
  }

  private void record(
      StepRun<?> step, StepRecord.Act act, Optional<Failure> failure, Duration took) {
    report.add(new StepRecord(step.name(), step.owner(), act, failure, took));
  }

  private Next<OperationReport> rejected(Failure failure) {
    failures.add(failure);
    return end(TransactionOutcome.REJECTED);
  }

  private Next<OperationReport> end(TransactionOutcome outcome) {
    operation.stage("");
    then =
        more -> {
          throw new IllegalStateException("the script of " + operation + " has ended");
        };
    return new Next.End<>(new OperationReport(outcome, report, failures));
  }
}
