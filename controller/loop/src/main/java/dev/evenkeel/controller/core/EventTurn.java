package dev.evenkeel.controller.core;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.event.Shutdown;
import dev.evenkeel.api.handler.Found;
import dev.evenkeel.api.handler.StateMap;
import dev.evenkeel.api.handler.StateName;
import dev.evenkeel.api.handler.Turn;
import dev.evenkeel.api.txn.Results;
import dev.evenkeel.api.txn.Txn;
import dev.evenkeel.txn.TxnCollector;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The turn of one call of one handler. Closed when the call is over: everything throws then, and
 * from any other thread at any time.
 */
final class EventTurn implements Turn, StateMaps.Access {
  private final TurnContext context;
  private final EventRun run;
  private final String handler;
  private final boolean reverting;
  private boolean open = true;
  private @Nullable RandomGenerator random;

  /** What only an operation's planning has. */
  interface Planning {
    /** A lock that a handler wants, too; absent when it has it now. */
    void lock(LockKey key);

    /** What a loader has read. */
    <V> Optional<V> loaded(Key<V> key);

    /** Whether the operation holds a lock on that id. */
    boolean holds(String id);
  }

  /** A turn. There is one for each call, so it holds little. */
  EventTurn(TurnContext context, EventRun run, String handler, boolean reverting) {
    this.context = context;
    this.run = run;
    this.handler = handler;
    this.reverting = reverting;
  }

  void close() {
    open = false;
  }

  private String call() {
    return reverting ? "revert" : run.isResync() ? "resync" : "update";
  }

  private void check() {
    if (!context.isInTurn()) {
      throw new IllegalStateException("the turn of " + handler + " belongs to the loop thread");
    }
    if (!open) {
      throw new IllegalStateException("the turn of " + handler + " is over");
    }
  }

  /** Gives the event's transaction to handlers that may still want something. */
  Txn planned() {
    checkPlanning();
    TxnCollector txn = run.txn();
    txn.owner(handler);
    return txn;
  }

  private void checkPlanning() {
    check();
    if (reverting) {
      throw new IllegalStateException("a revert only puts back: it wants nothing new");
    }
  }

  @Override
  public Txn txn() {
    checkPlanning();
    return new GuardedTxn(this);
  }

  @Override
  public Instant now() {
    check();
    return context.now();
  }

  @Override
  public RandomGenerator random() {
    check();
    RandomGenerator known = random;
    if (known == null) {
      known = Randomness.of(context.seed(), run.id().number(), handler, call());
      random = known;
    }
    return known;
  }

  @Override
  public String newId() {
    return Randomness.id(random());
  }

  @Override
  public int resyncCount() {
    check();
    return context.resyncCount();
  }

  @Override
  public boolean startup() {
    check();
    return context.startup();
  }

  @Override
  public InputState input() {
    check();
    return context.input();
  }

  @Override
  public void followUp(Event event) {
    checkPlanning();
    checkMayBeMade(event);
    if (run.depth + 1 > context.config().maxFollowUpDepth()) {
      throw limit(Limits.Limit.FOLLOW_UP_DEPTH, context.config().maxFollowUpDepth());
    }
    if (run.followUps.size() + context.followUpsWaiting() >= context.config().maxFollowUps()) {
      throw limit(Limits.Limit.FOLLOW_UPS, context.config().maxFollowUps());
    }
    run.followUps.add(event);
  }

  @Override
  public void schedule(Duration delay, Event event) {
    checkPlanning();
    checkMayBeMade(event);
    if (delay.isNegative()) {
      throw new IllegalArgumentException("a delay is not negative: " + delay);
    }
    if (run.scheduled.size() + context.scheduledWaiting() >= context.config().maxTimers()) {
      throw limit(Limits.Limit.TIMERS, context.config().maxTimers());
    }
    run.scheduled.add(new EventRun.Scheduled(delay, event));
  }

  private static void checkMayBeMade(Event event) {
    if (event instanceof Request<?> || event instanceof Shutdown) {
      throw new IllegalArgumentException(
          event.type().name()
              + " has an outcome that somebody waits for: push it from outside the loop, or make"
              + " an event of it that has none");
    }
  }

  private EvenkeelException limit(Limits.Limit limit, int most) {
    context.limits().reached(limit);
    String what =
        switch (limit) {
          case FOLLOW_UP_DEPTH -> "follow-ups of follow-ups";
          case FOLLOW_UPS -> "follow-ups that wait";
          case TIMERS -> "scheduled events";
          case HISTORY_RECORDS, HISTORY_BYTES -> "records";
        };
    return new EvenkeelException(
        ErrorKind.RESOURCE_EXHAUSTED, "too many " + what + ": the limit is " + most);
  }

  @Override
  public void onRevert(Runnable undo) {
    checkPlanning();
    run.undo.add(handler, Objects.requireNonNull(undo, "undo"));
  }

  @Override
  public <R> void answer(Request<R> request, R value) {
    R checked = request.answerType().cast(Objects.requireNonNull(value, "value"));
    answerFrom(request, results -> checked);
  }

  @Override
  public <R> void answerFrom(Request<R> request, Function<Results, R> value) {
    checkPlanning();
    if (!request.equals(run.event())) {
      throw new IllegalArgumentException("that is not the request of this turn");
    }
    run.answer = Objects.requireNonNull(value, "value");
    run.answerBy = handler;
  }

  @Override
  public <V> StateMap<V> state(StateName<V> name) {
    check();
    return context.states().open(name, this);
  }

  @Override
  public void mayRead() {
    check();
  }

  @Override
  public void mayWrite(String map, String key) {
    check();
    Planning planning = reverting ? null : run.planning;
    if (planning != null && !planning.holds(key)) {
      throw new IllegalStateException(
          "the operation has no lock on " + key + ", so it must not write it in state map " + map);
    }
  }

  @Override
  public void undoBy(Runnable undo) {
    if (!reverting) {
      run.undo.add(handler, undo);
    }
  }

  @Override
  public String transaction() {
    check();
    return run.transactionId();
  }

  @Override
  public Found found() {
    check();
    return run.found;
  }

  @Override
  public <V> Optional<V> loaded(Key<V> key) {
    return planning("loaded values").loaded(key);
  }

  @Override
  public void lock(LockKey key) {
    checkPlanning();
    planning("locks").lock(key);
  }

  private Planning planning(String what) {
    check();
    Planning planning = reverting ? null : run.planning;
    if (planning == null) {
      throw new IllegalStateException("only an operation has " + what);
    }
    return planning;
  }

  @Override
  public int version(String name, int lowest, int highest) {
    check();
    if (lowest > highest) {
      throw new IllegalArgumentException(lowest + " is above " + highest);
    }
    return context.version(run, handler, name, lowest, highest);
  }
}
