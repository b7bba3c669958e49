package dev.evenkeel.txn.operation;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.txn.Probe;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.txn.Action;
import org.jspecify.annotations.Nullable;

/** One step of a script, and how far it is. */
final class StepRun<T> {
  private final String owner;
  private final Step<T> step;
  private State state = State.UNKNOWN;
  private @Nullable T value;
  private boolean ours;

  /** How far a step is. */
  enum State {
    /** Not looked at. */
    UNKNOWN,
    /** Nothing is there. */
    ABSENT,
    /** Something is there. */
    PARTIAL,
    /** It was there when it was looked at. */
    FOUND,
    /** This script applied it. */
    DONE
  }

  StepRun(String owner, Step<T> step) {
    this.owner = owner;
    this.step = step;
  }

  String name() {
    return step.name();
  }

  String owner() {
    return owner;
  }

  State state() {
    return state;
  }

  boolean undoable() {
    return step.undoable();
  }

  /** Whether anything of it is there. */
  boolean isThere() {
    return state == State.DONE || state == State.FOUND || state == State.PARTIAL;
  }

  /** Whether all of it is there. */
  boolean isComplete() {
    return state == State.DONE || state == State.FOUND;
  }

  /** What apply returned or the probe found; only when it is complete. */
  T value() {
    if (value == null) {
      throw new IllegalStateException("step " + name() + " has no result");
    }
    return value;
  }

  /** Whether this operation did it, or may have: then it may be undone (JT-3). */
  boolean isOurs() {
    return ours;
  }

  /** This operation does it, or may have done so in an interrupted run. */
  void ours() {
    ours = true;
  }

  void absent() {
    state = State.ABSENT;
    value = null;
  }

  CallAction probe() {
    return action(Action.Kind.PROBE, "probe", context -> checked(step.probe(context)));
  }

  CallAction apply() {
    return action(Action.Kind.APPLY, "apply", context -> checkedResult(step.apply(context)));
  }

  CallAction undo() {
    boolean whole = isComplete();
    return action(
        Action.Kind.UNDO,
        "undo",
        context -> {
          if (whole) {
            step.undo(context, value());
          } else {
            step.undoPartial(context);
          }
          return true;
        });
  }

  private CallAction action(Action.Kind kind, String verb, CallAction.Body body) {
    return new CallAction(kind, name(), owner, verb + " " + name(), step.limit(), body);
  }

  /** Takes what the probe's action returned. */
  void probed(Object outcome) {
    if (outcome instanceof Probe.Present<?> present) {
      state = State.FOUND;
      value = step.resultType().cast(present.value());
    } else {
      state = outcome instanceof Probe.Partial<?> ? State.PARTIAL : State.ABSENT;
      value = null;
    }
  }

  /** Takes what the apply's action returned. */
  void applied(Object outcome) {
    state = State.DONE;
    value = step.resultType().cast(outcome);
  }

  private Object checked(@Nullable Probe<T> probe) {
    if (probe == null) {
      throw wrong("its probe returned null");
    }
    if (probe instanceof Probe.Present<T> present) {
      var unused = checkedResult(present.value());
    }
    return probe;
  }

  private Object checkedResult(@Nullable Object result) {
    if (!step.resultType().isInstance(result)) {
      throw wrong("it did not return a " + step.resultType().getSimpleName());
    }
    return result;
  }

  private EvenkeelException wrong(String what) {
    return new EvenkeelException(ErrorKind.INTERNAL, "step " + name() + ": " + what);
  }
}
