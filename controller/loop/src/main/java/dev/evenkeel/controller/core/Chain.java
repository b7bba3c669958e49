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
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls the handlers of an event, one after another, each call guarded (EL 19–23, 28; EW-7).
 * Whatever is thrown becomes that handler's failure; {@code AbortEventException} and {@code
 * FatalLoopException} are found inside others, too; an error of the virtual machine is fatal.
 */
final class Chain {
  private static final int DEPTH = 10;

  private final List<EventHandler> handlers;
  private final List<String> names;
  private final TurnContext context;
  private final Timing timing;
  private final @Nullable Consumer<Called> observer;
  private final boolean keepsRecords;
  private final LoopActivity activity;

  /** A handler was called for an event. */
  record Called(EventRun run, HandlerRecord record) {}

  Chain(
      List<EventHandler> handlers,
      List<String> names,
      TurnContext context,
      Timing timing,
      @Nullable Consumer<Called> observer,
      boolean keepsRecords,
      LoopActivity activity) {
    this.handlers = handlers;
    this.names = names;
    this.keepsRecords = keepsRecords;
    this.context = context;
    this.timing = timing;
    this.observer = observer;
    this.activity = activity;
  }

  /** Asks every handler before any has run, and puts them in the event's direction. */
  void select(EventRun run) {
    boolean none =
        run.method() == EventMethod.DOWNSTREAM_RESYNC || run.event() instanceof Notification;
    BitSet not = null;
    for (int i = 0; i < handlers.size(); i++) {
      if (none || !asks(run, i)) {
        not = not == null ? new BitSet() : not;
        not.set(i);
      }
    }
    if (not == null && !run.isReverse()) {
      run.choose(handlers, names);
    } else {
      some(run, not == null ? new BitSet() : not);
    }
  }

  private void some(EventRun run, BitSet not) {
    List<EventHandler> selected = new ArrayList<>();
    List<String> chain = new ArrayList<>();
    for (int i = 0; i < handlers.size(); i++) {
      int at = run.isReverse() ? handlers.size() - 1 - i : i;
      if (!not.get(at)) {
        selected.add(handlers.get(at));
        chain.add(names.get(at));
      }
    }
    run.choose(selected, chain);
  }

  private boolean asks(EventRun run, int at) {
    activity.enter(run, at, LoopActivity.ASKED);
    try {
      return handlers.get(at).handlesEvent(run.event());
    } catch (Throwable thrown) {
      failed(run, names.get(at), "handlesEvent", thrown);
      return false;
    } finally {
      activity.leave();
    }
  }

  /** Calls them until one stops the event. */
  void run(EventRun run, EventTurn.@Nullable Planning planning) {
    run.planning = planning;
    boolean all = run.selected() == handlers;
    int call = run.isResync() ? LoopActivity.RESYNCS : LoopActivity.UPDATES;
    long from = keepsRecords ? timing.read() : 0;
    for (int i = 0; i < run.selected().size() && run.stop == EventRun.Stop.NONE; i++) {
      EventHandler handler = run.selected().get(i);
      String name = run.chain().get(i);
      EventTurn turn = new EventTurn(context, run, name, false);
      activity.enter(run, all ? i : names.indexOf(name), call);
      String change = "";
      Optional<Failure> failure = Optional.empty();
      try {
        change = call(handler, run, turn);
        run.succeeded.set(i);
      } catch (Throwable thrown) {
        failure = Optional.of(failed(run, name, run.isResync() ? "resync" : "update", thrown));
      } finally {
        turn.close();
        activity.leave();
      }
      if (!change.isEmpty()) {
        run.changes.add(name + ": " + change);
      }
      if (keepsRecords) {
        from = called(run, name, false, change, failure, from);
      }
    }
  }

  private static String call(EventHandler handler, EventRun run, EventTurn turn) throws Exception {
    if (run.isResync()) {
      handler.resync((ResyncEvent) run.event(), turn);
      return "";
    }
    String change = handler.update((UpdateEvent) run.event(), turn);
    return change == null ? "" : change;
  }

  /** Gives the time at which the call had ended. */
  private long called(
      EventRun run,
      String handler,
      boolean revert,
      String change,
      Optional<Failure> failure,
      long from) {
    long to = timing.read();
    run.lastNanos = to;
    long took = Math.max(0, to - from);
    if (revert || !change.isEmpty() || failure.isPresent()) {
      run.calls.add(
          run.chain(), new HandlerRecord(handler, revert, change, failure, Duration.ofNanos(took)));
    } else {
      run.calls.add(run.chain(), handler, took);
    }
    if (observer != null) {
      observer.accept(new Called(run, run.calls.last(run.chain())));
    }
    return to;
  }

  /** Notes a failure, and what it means for the event. */
  private Failure failed(EventRun run, String handler, String call, Throwable thrown) {
    activity.failed();
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
    activity.enter(run, 0, LoopActivity.UNDOES);
    run.undo.run((handler, thrown) -> revertFailed(run, handler, "onRevert", thrown));
    activity.leave();
    if (callHandlers && run.event() instanceof UpdateEvent event) {
      int at = run.succeeded.length() - 1;
      while (at >= 0 && run.stop != EventRun.Stop.FATAL) {
        revert(run, run.selected().get(at), run.chain().get(at), event);
        at = at == 0 ? -1 : run.succeeded.previousSetBit(at - 1);
      }
    }
    return run.failures.size() == before;
  }

  private void revert(EventRun run, EventHandler handler, String name, UpdateEvent event) {
    EventTurn turn = new EventTurn(context, run, name, true);
    activity.enter(run, names.indexOf(name), LoopActivity.REVERTS);
    long from = timing.read();
    Optional<Failure> failure = Optional.empty();
    try {
      handler.revert(event, turn);
    } catch (Throwable thrown) {
      activity.failed();
      failure = Optional.of(revertFailed(run, name, "revert", thrown));
    } finally {
      turn.close();
      activity.leave();
    }
    if (keepsRecords) {
      called(run, name, true, "", failure, from);
    }
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
