package dev.evenkeel.controller.core;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.event.HealingResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.Shutdown;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.loop.EventId;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.History;
import dev.evenkeel.api.loop.LoopListener;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.txn.ValueReader;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.ActionOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event loop as a state machine without thread, clock and I/O (rule 0). A driver feeds it one
 * {@link LoopInput} after another, each with the time, from one thread at a time; it answers
 * through {@link LoopEffects} and {@link Reply}. What it decides is a function of its inputs.
 *
 * <p>How a driver chooses the next input (JT-9): control; completions; a timer that is due ({@link
 * #dueTimer}); {@link LoopInput.Proceed} while {@link #hasReady}; an event while {@link
 * #takesEvents}; {@link LoopInput.Drained} once {@link #wantsDrained} and nothing accepted is left;
 * until {@link #ended}.
 *
 * <p>Inside: the <i>owner</i> is the event whose transaction runs, and while there is one, nothing
 * but control and its completions is processed (JT-1); other completions wait. Follow-ups, events
 * that the loop made, and delayed events have a queue each, taken in this order. This class holds
 * the queues, the gate and the life of the loop; what happens to one event is in the two lanes.
 */
public final class LoopCore {
  private static final Logger LOG = LoggerFactory.getLogger(LoopCore.class);
  private static final Duration TRIM_EVERY = Duration.ofMinutes(1);

  /** How long a call is still waited for once the time for closing is up. */
  private static final Duration HURRY = Duration.ofMillis(10);

  private final LoopParts parts;
  private final LoopConfig config;
  private final HistoryStore history;
  private final TimerQueue timers = new TimerQueue();
  private final StateMaps states = new StateMaps();
  private final InputCaches caches;
  private final Dispatcher dispatcher;
  private final Healing healing;
  private final SerialLane serial;
  private final @Nullable OperationLane operations;

  private final Deque<EventRun> followUps = new ArrayDeque<>();
  private final Deque<EventRun> made = new ArrayDeque<>();
  private final Deque<EventRun> gate = new ArrayDeque<>();
  private final Deque<EventRun> returned = new ArrayDeque<>();
  private final Deque<Runnable> replies = new ArrayDeque<>();
  private final Deque<LoopInput.Completed> deferred = new ArrayDeque<>();
  private final Set<String> contributors = new HashSet<>();
  private @Nullable EventRun owner;
  private @Nullable EventRun arrived;
  private TimerQueue.@Nullable Timer startupWatch;
  private TimerQueue.@Nullable Timer closeWatch;

  private Instant now = Instant.EPOCH;
  private long turn;
  private long seed;
  private long madeIds;
  private long sequences;
  private int resyncs;
  private int scheduled;
  private int term;
  private boolean resyncBegun;
  private boolean healsPeriodically;
  private boolean gateOpen;
  private boolean closing;
  private boolean closeExpired;
  private boolean shutdownShown;
  private boolean upkeepQueued;
  private @Nullable Throwable unrecorded;

  private volatile LoopState state;
  private volatile Optional<String> reason = Optional.empty();
  private volatile Instant lastProgress = Instant.EPOCH;
  private volatile int running;
  private volatile boolean ended;
  private volatile @Nullable Thread thread;

  /** A core that has not started. */
  public LoopCore(LoopParts parts, LoopEffects effects) {
    this.parts = parts;
    this.config = parts.config();
    this.state = parts.elected() ? LoopState.STANDBY : LoopState.STARTING;
    this.history = new HistoryStore(config);
    this.caches = new InputCaches(parts.sources());
    this.dispatcher = new Dispatcher(effects, this::decided, this::timer);
    this.healing = new Healing(this, config);
    Chain chain =
        new Chain(
            parts.handlers(),
            new Context(),
            parts.nanos(),
            called -> decided(new LoopDecision.Called(called.run().id(), called.record())));
    this.serial = new SerialLane(this, parts, chain, caches);
    this.operations =
        parts.operations().map(o -> new OperationLane(this, parts, chain, o)).orElse(null);
    parts.observer().onBuilt(parts);
  }

  // What a driver asks.

  /** Whether there is something for {@link LoopInput.Proceed} to do. Core's thread. */
  public boolean hasReady() {
    return owner == null
        && !ended
        && !(deferred.isEmpty()
            && followUps.isEmpty()
            && made.isEmpty()
            && (gate.isEmpty() || !gateOpen));
  }

  /** Whether it takes an event now. Core's thread. */
  public boolean takesEvents() {
    return dropsEvents() || (owner == null && !hasReady());
  }

  /** When the next timer is due. Core's thread. */
  public Optional<Instant> nextTimer() {
    return timers.next();
  }

  /** The number of a timer that is due, or 0. Core's thread. */
  public long dueTimer(Instant time) {
    return timers.due(time);
  }

  /** Whether it waits to be told that nothing accepted is left. Core's thread. */
  public boolean wantsDrained() {
    return closing
        && !ended
        && owner == null
        && !hasReady()
        && (closeExpired || operations == null || operations.running() == 0);
  }

  /** Whether closing takes no more time for what waits. Core's thread. */
  public boolean hurries() {
    return closeExpired;
  }

  /** Whether it has ended, and everything has its outcome. Any thread. */
  public boolean ended() {
    return ended;
  }

  /** Where in its life it is. Any thread. */
  public LoopState state() {
    return state;
  }

  /** Why it is degraded or aborting. Any thread. */
  public Optional<String> reason() {
    return reason;
  }

  /** When the last turn ended. Any thread. */
  public Instant lastProgress() {
    return lastProgress;
  }

  /** Operations between ADMIT and END. Any thread. */
  public int running() {
    return running;
  }

  /** What it has done. Any thread. */
  public History history() {
    return history;
  }

  /** The engine's values. Any thread. */
  public ValueReader values() {
    return parts.engine().values();
  }

  /** Whether the calling thread is in the middle of a turn. Any thread. */
  public boolean isInTurn() {
    return thread == Thread.currentThread();
  }

  /** The handlers' state, copied: by map, by key. Core's thread, between turns. */
  public SortedMap<String, SortedMap<String, Object>> stateSnapshot() {
    return states.snapshot();
  }

  // Turns.

  /**
   * One turn. Never throws: what breaks a turn, an observer that fails included, aborts the loop,
   * and everything that waits is answered. The observer is not called again then.
   */
  public void accept(LoopInput input, Instant time) {
    if (time.isAfter(now)) {
      now = time;
    }
    turn++;
    thread = Thread.currentThread();
    arrived = null;
    try {
      if (isRecorded(input) || !(input instanceof LoopInput.Submitted)) {
        process(input);
      } else {
        dropArrived(input);
      }
      abortUnlessRecorded();
    } catch (RuntimeException | Error thrown) {
      LOG.error("Loop {}: turn {} failed", parts.name(), turn, thrown);
      abort("the loop itself failed: " + thrown);
      dropArrived(input);
    } finally {
      endTurn();
    }
  }

  /** Whether its observer has taken the input; when not, the loop aborts before any effect. */
  private boolean isRecorded(LoopInput input) {
    if (unrecorded == null) {
      try {
        parts.observer().onInput(turn, now, input);
      } catch (RuntimeException | Error thrown) {
        unrecorded = thrown;
        abortUnlessRecorded();
      }
    }
    return unrecorded == null;
  }

  /** Without its observer the loop only answers what it has accepted, and ends. */
  private void abortUnlessRecorded() {
    Throwable thrown = unrecorded;
    if (thrown != null && !isAborting() && state != LoopState.CLOSED) {
      LOG.error("Loop {}: turn {} cannot be recorded", parts.name(), turn, thrown);
      abort("what it does cannot be recorded: " + thrown);
    }
  }

  /** The event of a turn that failed is answered, too. */
  private void dropArrived(LoopInput input) {
    EventRun run = arrived;
    if (run == null && input instanceof LoopInput.Submitted event) {
      run = new EventRun(event, Optional.empty(), 0);
    }
    if (run != null && !run.answered && !isOperation(run)) {
      finish(run, dropped(run));
    }
  }

  /** Its driver cannot go on: everything is answered, and it ends. Never throws. */
  public void kill(String why) {
    thread = Thread.currentThread();
    try {
      abort(why);
      end();
    } catch (RuntimeException | Error thrown) {
      LOG.error("Loop {}: not everything could be answered", parts.name(), thrown);
      ended = true;
    } finally {
      endTurn();
    }
  }

  /** Who is answered sees everything that the turn has changed. */
  private void endTurn() {
    thread = null;
    running = operations == null ? 0 : operations.running();
    lastProgress = now;
    Runnable reply = replies.poll();
    while (reply != null) {
      reply.run();
      reply = replies.poll();
    }
  }

  private void process(LoopInput input) {
    if (input instanceof LoopInput.Submitted event) {
      submitted(new EventRun(event, Optional.empty(), 0));
    } else if (input instanceof LoopInput.Completed completed) {
      completed(completed);
    } else if (input instanceof LoopInput.Proceed) {
      proceed();
    } else if (input instanceof LoopInput.TimerFired fired) {
      timers.fire(fired.timer());
    } else if (input instanceof LoopInput.Overdue overdue) {
      dispatcher.overdue(overdue);
    } else if (input instanceof LoopInput.Start start) {
      start(start.seed());
    } else if (input instanceof LoopInput.Close close) {
      close(close.until());
    } else if (input instanceof LoopInput.Drained) {
      drained();
    } else if (input instanceof LoopInput.Led led) {
      led(led.leads());
    }
  }

  private void start(long fromSeed) {
    seed = fromSeed;
    history.started(now);
    trimLater();
    if (state == LoopState.STARTING) {
      watchStartup();
    }
  }

  private void trimLater() {
    timer(
        TRIM_EVERY,
        () -> {
          history.trimToAge(now);
          trimLater();
        });
  }

  private void watchStartup() {
    if (startupWatch != null) {
      startupWatch.cancel();
    }
    startupWatch =
        timer(
            config.startupDeadline(),
            () -> {
              if (!resyncBegun && state == LoopState.STARTING) {
                abort("no resync within " + config.startupDeadline() + " after the start");
              }
            });
  }

  private void submitted(EventRun run) {
    arrived = run;
    if (dropsEvents()) {
      finish(run, dropped(run));
    } else if (passesGate(run)) {
      begin(run);
    } else {
      gate.add(run);
      decided(new LoopDecision.Delayed(run.id()));
      watchDeadline(run);
    }
  }

  /** Only a resync from the datastore opens the gate, or a healing of one that failed (EL 12). */
  private boolean passesGate(EventRun run) {
    return gateOpen
        || run.event() instanceof DatastoreResync
        || (resyncBegun
            && run.event() instanceof HealingResync healing
            && healing.cause() == HealingResync.Cause.AFTER_ERROR)
        || run.event() instanceof EngineUpkeep
        || run.fault.isPresent();
  }

  private void proceed() {
    if (owner != null || ended) {
      return;
    }
    LoopInput.Completed completion = deferred.poll();
    if (completion != null) {
      dispatcher.completed(completion);
      return;
    }
    EventRun next = followUps.poll();
    if (next == null) {
      next = made.poll();
    }
    if (next != null) {
      submitted(next);
    } else if (gateOpen && !gate.isEmpty()) {
      begin(gate.remove());
    }
  }

  /** Completions of others wait while a serial event owns the loop (JT-1). */
  private void completed(LoopInput.Completed completion) {
    EventRun whose = dispatcher.runOf(completion.work());
    if (completion.outcome() instanceof ActionOutcome.Failed failed
        && failed.thrown() instanceof VirtualMachineError) {
      abort("a worker met a fatal error: " + failed.thrown());
    }
    if (owner != null && whose != null && whose != owner) {
      deferred.add(completion);
    } else {
      dispatcher.completed(completion);
    }
  }

  private void begin(EventRun run) {
    arrived = run;
    take(run);
    run.begun = now;
    run.term = term;
    run.epoch = parts.epoch().get();
    run.sequence = sequences++;
    decided(new LoopDecision.Began(run.id(), run.sequence));
    EventRecord record = run.record();
    history.put(record);
    tell(listener -> listener.onBegin(record));
    watchDeadline(run);
    if (run.answered) {
      return;
    }
    Lane.Operation lane = run.lane();
    if (lane == null || run.fault.isPresent()) {
      owner = run;
      serial.begin(run);
    } else if (operations == null) {
      refuse(run, ErrorKind.UNIMPLEMENTED, "this loop has no datastore, so it does no operations");
    } else {
      operations.admit(run, lane);
    }
  }

  private void refuse(EventRun run, ErrorKind kind, String why) {
    run.failures.add(Chain.loop("push", kind, why));
    finish(run, new Outcome.Refused<>(run.id(), run.failures));
  }

  /** Its permit is free again. */
  private static void take(EventRun run) {
    if (!run.taken) {
      run.taken = true;
      run.submitted.reply().taken();
    }
  }

  // Deadlines (JT-4).

  private void watchDeadline(EventRun run) {
    if (run.deadline == null && run.spec().isPresent() && run.spec().get().deadline().isPresent()) {
      Duration limit = run.spec().get().deadline().get();
      Duration left = Duration.between(now, run.submitted.pushed().plus(Durations.bounded(limit)));
      if (left.isNegative() || left.isZero()) {
        deadlinePassed(run, limit);
      } else {
        run.deadline = timer(left, () -> deadlinePassed(run, limit));
      }
    }
  }

  private void deadlinePassed(EventRun run, Duration limit) {
    String text = "its deadline of " + limit + " has passed";
    if (gate.remove(run) || (run.txn == null && owner != run && !isOperation(run))) {
      refuse(run, ErrorKind.DEADLINE_EXCEEDED, text + " before it began");
    } else if (owner == run) {
      serial.giveUp(limit);
    } else if (operations != null) {
      Failure why = Chain.loop("wait", ErrorKind.DEADLINE_EXCEEDED, text + "; it goes on");
      operations.giveUp(run, why);
    }
  }

  private boolean isOperation(EventRun run) {
    return operations != null && operations.events().contains(run);
  }

  // The end of an event.

  /** Its outcome: answered once; everything that hangs on it is let go. */
  void finish(EventRun run, Outcome<?> outcome) {
    if (owner == run) {
      owner = null;
    }
    if (run.deadline != null) {
      run.deadline.cancel();
    }
    take(run);
    if (isHealing(run)) {
      healing.began();
    } else if (run.event() instanceof EngineUpkeep) {
      upkeepQueued = false;
    }
    Runnable last = run.whenDone;
    if (last != null) {
      run.whenDone = null;
      last.run();
    }
    if (!run.answered) {
      answer(run, outcome);
    } else {
      history.put(run.record());
    }
    if (outcome instanceof Outcome.Applied<?>) {
      publish(run);
    }
  }

  private void answer(EventRun run, Outcome<?> outcome) {
    run.answered = true;
    run.ended = now;
    run.outcome = Optional.of(outcome.word());
    if (run.sequence < 0) {
      run.sequence = sequences++;
      run.begun = now;
    }
    if (run.failures.isEmpty()) {
      run.failures.addAll(outcome.failures());
    }
    EventRecord record = run.record();
    history.put(record);
    decided(new LoopDecision.Answered(run.id(), outcome));
    tell(listener -> listener.onEnd(record));
    replies.add(() -> run.submitted.reply().answer(outcome));
  }

  /** Nobody waits any more, but it goes on: its locks stay, and a later turn ends it (JT-4). */
  void answerEarly(EventRun run, Failure why) {
    if (!run.answered) {
      run.failures.add(why);
      answer(run, new Outcome.Unfinished<>(run.id(), run.failures));
    }
  }

  /** Follow-ups and scheduled events of an event that succeeded (JT-11). */
  private void publish(EventRun run) {
    if (dropsEvents() || run.event() instanceof Shutdown) {
      return;
    }
    for (Event event : run.followUps) {
      EventRun next = own(event, Optional.of(run.sequence), run.depth + 1);
      followUps.add(next);
      decided(new LoopDecision.Made(next.id(), event));
    }
    for (EventRun.Scheduled later : run.scheduled) {
      scheduled++;
      timer(
          later.delay(),
          () -> {
            scheduled--;
            make(later.event());
          });
    }
  }

  private EventRun own(Event event, Optional<Long> parent, int depth) {
    EventId id = new EventId(2 * ++madeIds);
    return new EventRun(LoopInput.Submitted.of(id, event, now, Reply.NONE), parent, depth);
  }

  /** An event that another one's planning needs; it is never answered. */
  EventRun shadow(EventRun of, UpdateEvent event) {
    EventRun shadow = own(event, Optional.of(of.sequence), of.depth);
    shadow.sequence = of.sequence;
    return shadow;
  }

  /** Pushes an event of the loop's own, unless events are dropped. */
  boolean make(Event event) {
    if (dropsEvents()) {
      return false;
    }
    EventRun run = own(event, Optional.empty(), 0);
    made.add(run);
    decided(new LoopDecision.Made(run.id(), event));
    return true;
  }

  // Resyncs and healing.

  void resyncBegins(EventRun run) {
    resyncs++;
    if (run.event() instanceof DatastoreResync) {
      resyncBegun = true;
      if (!healsPeriodically) {
        healsPeriodically = true;
        config.periodicHealing().ifPresent(this::healPeriodically);
      }
    }
    if (isHealing(run)) {
      healing.began();
    }
  }

  private static boolean isHealing(EventRun run) {
    return run.event() instanceof HealingResync resync
        && resync.cause() == HealingResync.Cause.AFTER_ERROR;
  }

  /** Whether a failure is healed: not while a startup resync is awaited, which does it anyway. */
  boolean heals(EventRun run) {
    return lives() && run.term == term && (gateOpen || resyncBegun);
  }

  private void healPeriodically(Duration period) {
    timer(
        period,
        () -> {
          if (gateOpen && !closing) {
            make(new HealingResync(HealingResync.Cause.PERIODIC, 1));
          }
          healPeriodically(period);
        });
  }

  /** An event was applied without a failure. */
  void succeeded(EventRun run) {
    if (run.method() != EventMethod.FULL_RESYNC || !lives() || run.term != term) {
      return;
    }
    healing.cured();
    gateOpen = true;
    enter(LoopState.RUNNING, "");
  }

  private boolean lives() {
    return state == LoopState.STARTING || state == LoopState.RUNNING || state == LoopState.DEGRADED;
  }

  void degraded(String why) {
    if (state == LoopState.RUNNING) {
      enter(LoopState.DEGRADED, why);
    } else if (state == LoopState.DEGRADED || state == LoopState.STARTING) {
      reason = Optional.of(why);
    }
  }

  void contributed(String handler) {
    contributors.add(handler);
  }

  boolean everContributed(String handler) {
    return contributors.contains(handler);
  }

  // Upkeep of the engine.

  /** A call that nobody waited for has returned: the engine takes it over when it may act. */
  void returnedLate(Action action, ActionOutcome outcome) {
    if (!ended && state != LoopState.ABORTING) {
      Deque<EventRun> queue = state == LoopState.STANDBY ? returned : made;
      queue.add(
          own(
              new EngineUpkeep(Optional.of(new EngineUpkeep.Returned(action, outcome))),
              Optional.empty(),
              0));
    }
  }

  private static boolean isReturn(EventRun run) {
    return run.event() instanceof EngineUpkeep upkeep && upkeep.returned().isPresent();
  }

  void operationGone() {
    if (!parts.engine().dirty().isEmpty() && !upkeepQueued && !dropsEvents()) {
      upkeepQueued = true;
      made.add(own(new EngineUpkeep(Optional.empty()), Optional.empty(), 0));
    }
  }

  /** An operation's values: the loop is owned until they are committed. */
  void commitUnderLocks(EventRun run) {
    owner = run;
    serial.commitUnderLocks(run);
  }

  boolean isFrozen(String path) {
    return operations != null && operations.isFrozen(path);
  }

  // Life.

  private void enter(LoopState after, String why) {
    LoopState before = state;
    if (before == after) {
      return;
    }
    state = after;
    reason = why.isEmpty() ? Optional.empty() : Optional.of(why);
    decided(new LoopDecision.StateChanged(before, after, why));
    tell(listener -> listener.onState(before, after));
  }

  /** A fatal error: nothing is processed any more; what waits is answered (EL 32). */
  void abort(String why) {
    if (state == LoopState.ABORTING || state == LoopState.CLOSED) {
      return;
    }
    LOG.error("Loop {} is aborting: {}", parts.name(), why);
    healing.stop();
    enter(LoopState.ABORTING, why);
    dropWaiting();
    EventRun open = owner;
    if (open != null) {
      Outcome<?> dropped = dropped(open);
      finish(
          open,
          serial.isActing() ? new Outcome.Unfinished<>(open.id(), dropped.failures()) : dropped);
    }
  }

  private void dropWaiting() {
    for (Deque<EventRun> queue : List.of(followUps, made, returned, gate)) {
      EventRun run = queue.poll();
      while (run != null) {
        finish(run, dropped(run));
        run = queue.poll();
      }
    }
  }

  Outcome<?> dropped(EventRun run) {
    List<Failure> failures = new ArrayList<>(run.failures);
    String why =
        switch (state) {
          case ABORTING -> "the loop is aborting: " + reason.orElse("");
          case STANDBY -> "another controller leads";
          case DRAINING, CLOSED -> "the loop was closed";
          case STARTING, RUNNING, DEGRADED -> "another controller has led meanwhile";
        };
    failures.add(Chain.loop("push", ErrorKind.UNAVAILABLE, why));
    return new Outcome.Dropped<>(run.id(), failures);
  }

  /** Whether events are answered without being processed. */
  boolean dropsEvents() {
    return switch (state) {
      case ABORTING, CLOSED, STANDBY -> true;
      case DRAINING -> closeExpired || !gateOpen;
      case STARTING, RUNNING, DEGRADED -> false;
    };
  }

  /** Whether an event that has begun takes its next turn: neither dropped nor of an older term. */
  boolean goesOn(EventRun run) {
    return !run.answered && !dropsEvents() && run.term == term;
  }

  boolean isAborting() {
    return state == LoopState.ABORTING;
  }

  private void led(boolean leads) {
    if (leads && state == LoopState.STANDBY) {
      enter(LoopState.STARTING, "");
      made.addAll(returned);
      returned.clear();
      watchStartup();
    } else if (!leads && !closing && !dropsEvents()) {
      healing.cured();
      gateOpen = false;
      resyncBegun = false;
      term++;
      enter(LoopState.STANDBY, "leadership was lost");
      List<EventRun> kept = made.stream().filter(LoopCore::isReturn).toList();
      made.removeAll(kept);
      dropWaiting();
      returned.addAll(kept);
    }
  }

  /** JT-18. */
  private void close(Instant until) {
    if (closing) {
      return;
    }
    closing = true;
    healing.stop();
    if (state != LoopState.ABORTING) {
      enter(LoopState.DRAINING, "");
    }
    if (dropsEvents()) {
      dropWaiting();
    }
    if (until.isAfter(now)) {
      closeWatch = timer(Duration.between(now, until), this::closeLimitPassed);
    } else {
      closeLimitPassed();
    }
  }

  private void closeLimitPassed() {
    closeExpired = true;
    dropWaiting();
    dispatcher.hurry(HURRY);
    if (owner != null) {
      serial.giveUp(config.closeLimit());
    }
  }

  private void drained() {
    if (!wantsDrained()) {
      return;
    }
    if (gateOpen && state == LoopState.DRAINING && !shutdownShown) {
      shutdownShown = true;
      closeExpired = true;
      if (closeWatch != null) {
        closeWatch.cancel();
      }
      dispatcher.hurry(config.shutdownLimit());
      timer(config.shutdownLimit(), this::giveUpShutdown);
      begin(shutdown());
    } else {
      end();
    }
  }

  /** The one shutdown event; a pushed one is refused at the door. */
  private EventRun shutdown() {
    Shutdown event = new Shutdown();
    EventId id = new EventId(2 * ++madeIds);
    return new EventRun(
        new LoopInput.Submitted(
            id, event, now, Optional.of(event.spec()), Optional.empty(), Reply.NONE),
        Optional.empty(),
        0);
  }

  private void giveUpShutdown() {
    dispatcher.hurry(HURRY);
    if (owner != null) {
      serial.giveUp(config.shutdownLimit());
    }
  }

  private void end() {
    dropWaiting();
    if (operations != null) {
      Failure why = Chain.loop("close", ErrorKind.UNAVAILABLE, "the loop was closed; it goes on");
      for (EventRun run : operations.events()) {
        operations.giveUp(run, why);
      }
    }
    enter(LoopState.CLOSED, reason.orElse(""));
    ended = true;
  }

  // For the lanes.

  Dispatcher dispatcher() {
    return dispatcher;
  }

  Healing healing() {
    return healing;
  }

  Instant now() {
    return now;
  }

  long seed() {
    return seed;
  }

  TimerQueue.Timer timer(Duration delay, Runnable action) {
    TimerQueue.Timer timer = timers.set(now.plus(Durations.bounded(delay)), action);
    decided(new LoopDecision.TimerSet(timer.id(), timer.at()));
    return timer;
  }

  void planned(EventRun run) {
    decided(new LoopDecision.Planned(run.id(), run.txn().entries()));
  }

  private void decided(LoopDecision decision) {
    if (unrecorded == null) {
      try {
        parts.observer().onDecision(turn, decision);
      } catch (RuntimeException | Error thrown) {
        unrecorded = thrown;
      }
    }
  }

  private void tell(Consumer<LoopListener> what) {
    for (LoopListener listener : parts.listeners()) {
      try {
        what.accept(listener);
      } catch (RuntimeException | Error thrown) {
        LOG.warn("Loop {}: a listener failed", parts.name(), thrown);
      }
    }
  }

  /** What turns see of the core. */
  private final class Context implements TurnContext {
    @Override
    public void checkThread(String what) {
      if (!isInTurn()) {
        throw new IllegalStateException(what + " belongs to the loop thread");
      }
    }

    @Override
    public Instant now() {
      return now;
    }

    @Override
    public long seed() {
      return seed;
    }

    @Override
    public int resyncCount() {
      return resyncs;
    }

    @Override
    public boolean startup() {
      return !gateOpen;
    }

    @Override
    public InputState input() {
      return caches.input();
    }

    @Override
    public StateMaps states() {
      return states;
    }

    @Override
    public LoopConfig config() {
      return config;
    }

    @Override
    public int followUpsWaiting() {
      return followUps.size();
    }

    @Override
    public int scheduledWaiting() {
      return scheduled;
    }

    @Override
    public int version(EventRun run, String handler, String name, int lowest, int highest) {
      int chosen = parts.versions().choose(handler, name, lowest, highest);
      decided(new LoopDecision.Versioned(run.id(), handler, name, chosen));
      return chosen;
    }
  }
}
