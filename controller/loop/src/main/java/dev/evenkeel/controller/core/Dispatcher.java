package dev.evenkeel.controller.core;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.ActionOutcome;
import dev.evenkeel.txn.Cursor;
import dev.evenkeel.txn.operation.OperationReport;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands work to the driver, and its outcome back to whoever asked (JT-4, JT-9). A call that passes
 * its limit comes back as timed out, and once more when it has really returned. Core's thread only.
 */
final class Dispatcher {
  private final Map<Long, Pending> works = new HashMap<>();
  private final LoopEffects effects;
  private final Consumer<LoopDecision> decisions;
  private final Timing timing;
  private Optional<Instant> end = Optional.empty();
  private long last;

  /** Work under way. */
  private static final class Pending {
    final EventRun run;
    Consumer<ActionOutcome> back;
    final Consumer<ActionOutcome> late;
    final BiConsumer<String, Duration> overdue;
    TimerQueue.@Nullable Timer limit;

    Pending(
        EventRun run,
        Consumer<ActionOutcome> back,
        Consumer<ActionOutcome> late,
        BiConsumer<String, Duration> overdue) {
      this.run = run;
      run.kept = true;
      this.back = back;
      this.late = late;
      this.overdue = overdue;
    }
  }

  Dispatcher(LoopEffects effects, Consumer<LoopDecision> decisions, Timing timing) {
    this.effects = effects;
    this.decisions = decisions;
    this.timing = timing;
  }

  /**
   * Has one call made.
   *
   * @param back gets what came of it, or {@code TimedOut}
   * @param late gets what came of it after that
   */
  long call(
      EventRun run,
      Action action,
      Work.Scope scope,
      Consumer<ActionOutcome> back,
      Consumer<ActionOutcome> late) {
    long id = ++last;
    Pending pending = new Pending(run, back, late, (target, limit) -> {});
    works.put(id, pending);
    Duration wanted = action.limit().orElse(scope.limit());
    Duration limit = end.map(this::left).filter(l -> l.compareTo(wanted) < 0).orElse(wanted);
    if (limit.isZero() || limit.isNegative()) {
      pending.limit = timing.after(Duration.ZERO, () -> notMade(id));
      return id;
    }
    if (!action.inline()) {
      pending.limit = timing.after(limit, () -> timedOut(id, pending, limit));
    }
    decisions.accept(new LoopDecision.Dispatched(run.id(), id, action.kind(), action.target()));
    effects.run(new Work.Call(id, action, scope));
    return id;
  }

  private Duration left(Instant until) {
    return Duration.between(timing.now(), until);
  }

  /** The time for all calls is up: it comes back as failed, in a turn of its own. */
  private void notMade(long id) {
    EvenkeelException why =
        new EvenkeelException(
            ErrorKind.FAILED_PRECONDITION, "it was not begun: the loop is being closed");
    completed(new LoopInput.Completed(id, new ActionOutcome.Failed(why, Duration.ZERO)));
  }

  private void timedOut(long id, Pending pending, Duration limit) {
    Consumer<ActionOutcome> back = pending.back;
    pending.back = pending.late;
    pending.limit = null;
    effects.cancel(id);
    back.accept(new ActionOutcome.TimedOut(limit));
  }

  /** Stops waiting for a call as if its limit had passed now. */
  void giveUp(long id, Duration limit) {
    Pending pending = works.get(id);
    if (pending != null) {
      if (pending.limit != null) {
        pending.limit.cancel();
      }
      timedOut(id, pending, limit);
    }
  }

  /**
   * From now on all calls together are waited for no longer than that, however many and quick they
   * are; those that would begin later are not made.
   */
  void hurry(Duration longest) {
    end = Optional.of(timing.now().plus(Durations.bounded(longest)));
  }

  /** Has a whole script run. */
  long script(
      EventRun run,
      Cursor<OperationReport> cursor,
      Work.Scope scope,
      Consumer<ActionOutcome> back,
      BiConsumer<String, Duration> overdue) {
    long id = ++last;
    works.put(id, new Pending(run, back, late -> {}, overdue));
    decisions.accept(new LoopDecision.Scripted(run.id(), id));
    effects.run(new Work.Script(id, cursor, scope));
    return id;
  }

  /** Whether it has not come back yet. */
  boolean isUnderWay(long id) {
    return works.containsKey(id);
  }

  void cancel(long id) {
    if (works.containsKey(id)) {
      effects.cancel(id);
    }
  }

  /** Whose work that is; null when it is not known. */
  @Nullable EventRun runOf(long id) {
    Pending pending = works.get(id);
    return pending == null ? null : pending.run;
  }

  void completed(LoopInput.Completed completed) {
    Pending pending = works.remove(completed.work());
    if (pending != null) {
      if (pending.limit != null) {
        pending.limit.cancel();
      }
      pending.back.accept(completed.outcome());
    }
  }

  void overdue(LoopInput.Overdue overdue) {
    Pending pending = works.get(overdue.work());
    if (pending != null) {
      pending.overdue.accept(overdue.target(), overdue.limit());
    }
  }
}
