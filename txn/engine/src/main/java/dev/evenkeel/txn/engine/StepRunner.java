package dev.evenkeel.txn.engine;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.txn.Probe;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.StepRecord;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.ActionOutcome;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one serial transaction: probe, then adopt or apply; and undo. A step that its first
 * probe found present is never undone (JT-3).
 */
final class StepRunner {
  private final Work work;
  private final StepResults results;

  /** What has been tried of one step, and what undoing it means. */
  private static final class Tried<T> {
    final String owner;
    final Step<T> step;
    @Nullable T done;

    Tried(String owner, Step<T> step) {
      this.owner = owner;
      this.step = step;
    }
  }

  StepRunner(Work work, StepResults results) {
    this.work = work;
    this.results = results;
  }

  /** Does one; the consumer is given what undoes it, as soon as there may be something to undo. */
  <T> void run(String owner, Step<T> step, Consumer<Runnable> undos) {
    Tried<T> tried = new Tried<>(owner, step);
    if (work.dry) {
      record(tried, StepRecord.Act.DONE, null, Duration.ZERO);
      return;
    }
    call(
        tried,
        Action.Kind.PROBE,
        context -> checked(step, step.probe(context)),
        done -> {
          if (done.value() instanceof Probe.Present<?> present) {
            results.put(step.name(), present.value());
            record(tried, StepRecord.Act.ADOPTED, null, done.took());
          } else {
            undos.accept(() -> undo(tried));
            work.agenda.next(() -> apply(tried));
          }
        },
        (failure, took) -> record(tried, StepRecord.Act.FAILED, failure, took));
  }

  private <T> void apply(Tried<T> tried) {
    Step<T> step = tried.step;
    call(
        tried,
        Action.Kind.APPLY,
        context -> checkedResult(step, step.apply(context)),
        done -> {
          tried.done = step.resultType().cast(done.value());
          results.put(step.name(), done.value());
          record(tried, StepRecord.Act.DONE, null, done.took());
        },
        (failure, took) -> record(tried, StepRecord.Act.FAILED, failure, took));
  }

  /** Takes one back; of one that failed, whatever its probe finds now. */
  private <T> void undo(Tried<T> tried) {
    Step<T> step = tried.step;
    T done = tried.done;
    if (done != null) {
      undo(tried, done, false);
      return;
    }
    call(
        tried,
        Action.Kind.PROBE,
        context -> checked(step, step.probe(context)),
        probed -> {
          if (probed.value() instanceof Probe.Present<?> present) {
            T found = step.resultType().cast(present.value());
            work.agenda.next(() -> undo(tried, found, false));
          } else if (probed.value() instanceof Probe.Partial<?>) {
            work.agenda.next(() -> undo(tried, null, true));
          }
        },
        (failure, took) -> record(tried, StepRecord.Act.UNDO_FAILED, failure, took));
  }

  private <T> void undo(Tried<T> tried, @Nullable T done, boolean partial) {
    Step<T> step = tried.step;
    if (!step.undoable()) {
      Failure failure =
          Failure.of(
              tried.owner,
              "undo " + step.name(),
              ErrorKind.FAILED_PRECONDITION,
              "it cannot be taken back, nor can what was done before it");
      work.log.add(failure);
      record(tried, StepRecord.Act.UNDO_FAILED, failure, Duration.ZERO);
      return;
    }
    call(
        tried,
        Action.Kind.UNDO,
        context -> {
          if (partial || done == null) {
            step.undoPartial(context);
          } else {
            step.undo(context, done);
          }
          return step.name();
        },
        undone -> {
          results.remove(step.name());
          record(tried, StepRecord.Act.UNDONE, null, undone.took());
        },
        (failure, took) -> record(tried, StepRecord.Act.UNDO_FAILED, failure, took));
  }

  /** What is done with a failed call, once the failure has been noted. */
  private interface OnFailure {
    void take(Failure failure, Duration took);
  }

  private void call(
      Tried<?> tried,
      Action.Kind kind,
      Call.Body body,
      Consumer<ActionOutcome.Done> then,
      OnFailure onFailure) {
    Step<?> step = tried.step;
    Call call = new Call("steps", kind, step.name(), tried.owner, step.limit(), false, body);
    String operation = kind.name().toLowerCase(Locale.ROOT) + " " + step.name();
    work.agenda.call(
        call,
        outcome -> {
          if (outcome instanceof ActionOutcome.Done done) {
            then.accept(done);
          } else if (outcome instanceof ActionOutcome.Failed failed) {
            Failure failure = Failure.of(tried.owner, operation, failed.thrown());
            work.log.add(failure);
            onFailure.take(failure, failed.took());
          } else if (outcome instanceof ActionOutcome.TimedOut timedOut) {
            work.hangs.add(call, new Hangs.Hang(null, null, null));
            Failure failure =
                Failure.of(
                    tried.owner,
                    operation,
                    ErrorKind.DEADLINE_EXCEEDED,
                    "has not returned within " + timedOut.limit() + " and still runs");
            work.log.add(failure);
            record(tried, StepRecord.Act.UNFINISHED, failure, timedOut.limit());
            work.breakOff();
          }
        });
  }

  private void record(
      Tried<?> tried, StepRecord.Act act, @Nullable Failure failure, Duration took) {
    work.log.add(
        new StepRecord(tried.step.name(), tried.owner, act, Optional.ofNullable(failure), took));
  }

  private static <T> Object checked(Step<T> step, @Nullable Probe<T> probe) {
    if (probe == null) {
      throw wrong(step, "its probe returned null");
    }
    return probe instanceof Probe.Present<T> present
        ? Probe.present(checkedResult(step, present.value()))
        : probe;
  }

  private static Object checkedResult(Step<?> step, @Nullable Object result) {
    if (!step.resultType().isInstance(result)) {
      throw wrong(step, "it did not return a " + step.resultType().getSimpleName());
    }
    return step.resultType().cast(result);
  }

  private static EvenkeelException wrong(Step<?> step, String what) {
    return new EvenkeelException(ErrorKind.INTERNAL, "step " + step.name() + ": " + what);
  }
}
