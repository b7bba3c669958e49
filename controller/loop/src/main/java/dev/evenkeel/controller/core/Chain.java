package dev.evenkeel.controller.core;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.event.Notification;
import dev.evenkeel.api.event.ResyncEvent;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.loop.AbortEventException;
import dev.evenkeel.api.loop.FatalLoopException;
import dev.evenkeel.api.loop.HandlerRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls the handlers of an event, one after another, each call guarded (EL 19–23, 28; EW-7).
 * Whatever is thrown becomes that handler's failure; {@code AbortEventException} and {@code
 * FatalLoopException} are found inside others, too; an error of the virtual machine is fatal.
 */
final class Chain {
  private static final int DEPTH = 10;

  private final List<EventHandler> handlers;
  private final TurnContext context;
  private final LongSupplier nanos;
  private final Consumer<Called> observer;
  private final LoopActivity activity;

  /** A handler was called for an event. */
  record Called(EventRun run, HandlerRecord record) {}

  Chain(
      List<EventHandler> handlers,
      TurnContext context,
      LongSupplier nanos,
      Consumer<Called> observer,
      LoopActivity activity) {
    this.handlers = handlers;
    this.context = context;
    this.nanos = nanos;
    this.observer = observer;
    this.activity = activity;
  }

  /** Asks every handler before any has run, and puts them in the event's direction. */
  void select(EventRun run) {
    List<EventHandler> selected = new ArrayList<>();
    if (run.method() != EventMethod.DOWNSTREAM_RESYNC && !(run.event() instanceof Notification)) {
      for (EventHandler handler : handlers) {
        if (asks(run, handler)) {
          selected.add(handler);
        }
      }
    }
    if (run.isReverse()) {
      Collections.reverse(selected);
    }
    run.selected = selected;
    selected.forEach(handler -> run.chain.add(handler.name()));
  }

  private boolean asks(EventRun run, EventHandler handler) {
    activity.enter(run, handler.name(), "handlesEvent");
    try {
      return handler.handlesEvent(run.event());
    } catch (Throwable thrown) {
      failed(run, handler.name(), "handlesEvent", thrown);
      return false;
    } finally {
      activity.leave();
    }
  }

  /** Calls them until one stops the event. */
  void run(EventRun run, EventTurn.@Nullable Planning planning) {
    String call = run.isResync() ? "resync" : "update";
    for (EventHandler handler : run.selected) {
      if (run.stop != EventRun.Stop.NONE) {
        return;
      }
      run.txn().owner(handler.name());
      EventTurn turn = new EventTurn(context, run, handler.name(), call, planning);
      activity.enter(run, handler.name(), call);
      long from = nanos.getAsLong();
      String change = "";
      Optional<Failure> failure = Optional.empty();
      try {
        change = call(handler, run, turn);
        run.succeeded.add(handler);
      } catch (Throwable thrown) {
        failure = Optional.of(failed(run, handler.name(), call, thrown));
      } finally {
        turn.close();
        activity.leave();
      }
      if (!change.isEmpty()) {
        run.changes.add(handler.name() + ": " + change);
      }
      called(run, handler.name(), false, change, failure, from);
    }
  }

  private static String call(EventHandler handler, EventRun run, EventTurn turn) throws Exception {
    if (run.event() instanceof ResyncEvent resync) {
      handler.resync(resync, turn);
      return "";
    }
    String change = handler.update((UpdateEvent) run.event(), turn);
    return change == null ? "" : change;
  }

  private void called(
      EventRun run,
      String handler,
      boolean revert,
      String change,
      Optional<Failure> failure,
      long from) {
    Duration took = Duration.ofNanos(Math.max(0, nanos.getAsLong() - from));
    HandlerRecord record = new HandlerRecord(handler, revert, change, failure, took);
    run.calls.add(record);
    observer.accept(new Called(run, record));
  }

  /** Notes a failure, and what it means for the event. */
  private Failure failed(EventRun run, String handler, String call, Throwable thrown) {
    Failure failure = Failure.of(handler, call, thrown);
    run.failures.add(failure);
    run.failedHandlers.add(handler);
    if (isFatal(thrown)) {
      run.stop = EventRun.Stop.FATAL;
    } else if (run.stop == EventRun.Stop.NONE) {
      if (isInside(thrown, AbortEventException.class)) {
        run.stop = EventRun.Stop.ABORTED;
      } else if (run.reverts()) {
        run.stop = EventRun.Stop.FAILED;
      }
    }
    return failure;
  }

  /**
   * Takes back: the undo log, then {@code revert} of those handlers that had succeeded, last one
   * first.
   *
   * @param callHandlers false to run the undo log alone
   * @return whether everything went back; when the run's stop is fatal afterwards, the loop ends
   */
  boolean revert(EventRun run, boolean callHandlers) {
    int before = run.failures.size();
    activity.enter(run, "the undo log", "onRevert");
    run.undo.run((handler, thrown) -> revertFailed(run, handler, "onRevert", thrown));
    activity.leave();
    if (callHandlers && run.event() instanceof UpdateEvent event) {
      List<EventHandler> back = new ArrayList<>(run.succeeded);
      Collections.reverse(back);
      for (EventHandler handler : back) {
        if (run.stop == EventRun.Stop.FATAL) {
          break;
        }
        revert(run, handler, event);
      }
    }
    return run.failures.size() == before;
  }

  private void revert(EventRun run, EventHandler handler, UpdateEvent event) {
    EventTurn turn = new EventTurn(context, run, handler.name(), "revert", null);
    activity.enter(run, handler.name(), "revert");
    long from = nanos.getAsLong();
    Optional<Failure> failure = Optional.empty();
    try {
      handler.revert(event, turn);
    } catch (Throwable thrown) {
      failure = Optional.of(revertFailed(run, handler.name(), "revert", thrown));
    } finally {
      turn.close();
      activity.leave();
    }
    called(run, handler.name(), true, "", failure, from);
  }

  private static Failure revertFailed(EventRun run, String handler, String what, Throwable thrown) {
    Failure failure = Failure.of(handler, what, thrown);
    run.failures.add(failure);
    if (isFatal(thrown)) {
      run.stop = EventRun.Stop.FATAL;
    }
    return failure;
  }

  /** A lock was refused: a failure of the event, with nothing done. */
  static void refused(EventRun run, Failure why) {
    run.failures.add(why);
    if (run.stop == EventRun.Stop.NONE) {
      run.stop = EventRun.Stop.REFUSED;
    }
  }

  static boolean isFatal(Throwable thrown) {
    return isInside(thrown, VirtualMachineError.class)
        || isInside(thrown, FatalLoopException.class);
  }

  private static boolean isInside(Throwable thrown, Class<? extends Throwable> type) {
    Throwable t = thrown;
    for (int depth = 0; t != null && depth < DEPTH; depth++, t = t.getCause()) {
      if (type.isInstance(t)) {
        return true;
      }
    }
    return false;
  }

  /** An outcome's failure when nothing better is known. */
  static Failure loop(String what, ErrorKind kind, String message) {
    return Failure.of("loop", what, kind, message);
  }
}
