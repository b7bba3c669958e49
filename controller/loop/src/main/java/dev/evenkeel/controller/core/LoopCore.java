package dev.evenkeel.controller.core;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.loop.History;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.txn.EngineStatistics;
import dev.evenkeel.api.txn.TransactionHistory;
import dev.evenkeel.api.txn.ValueReader;
import dev.evenkeel.txn.ActionOutcome;
import dev.evenkeel.txn.engine.ValueWatchers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event loop as a state machine without thread, clock and I/O (rule 0). A driver feeds it one
 * {@link LoopInput} after another, each with the time, from one thread at a time; it answers
 * through {@link LoopEffects} and {@link Reply}. What it decides is a function of its inputs.
 *
 * <p>How a driver chooses the next input (JT-9): control; completions; a timer that is due ({@link
 * #dueTimer}); an event while {@link #takesEventsFirst}; {@link LoopInput.Proceed} while {@link
 * #hasReady}; an event while {@link #takesEvents}; {@link LoopInput.Drained} once {@link
 * #wantsDrained} and nothing accepted is left; until {@link #ended}.
 *
 * <p>This class is the door and the road: inputs come in, and each event goes from here into one of
 * the two lanes. What it goes by has a class each: {@link Life} with the gate, {@link Queues},
 * {@link Timing}, {@link OwnEvents}, {@link Endings}, {@link Deadlines}, {@link Starting}, {@link
 * Closing}.
 */
public final class LoopCore {
  private @Nullable ValueWatchers watchers;
  private static final Logger LOG = LoggerFactory.getLogger(LoopCore.class);
  private static final VarHandle THREAD;
  private static final VarHandle IN_TURN;
  private static final VarHandle PROGRESS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      THREAD = lookup.findVarHandle(LoopCore.class, "thread", Thread.class);
      IN_TURN = lookup.findVarHandle(LoopCore.class, "inTurn", boolean.class);
      PROGRESS = lookup.findVarHandle(LoopCore.class, "lastProgress", Instant.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private final LoopParts parts;
  private final LoopConfig config;
  private final Limits limits;
  private final HistoryStore history;
  private final Witness witness;
  private final Timing timing;
  private final Life life;
  private final Queues queues = new Queues();
  private final Verifying verifying;
  private final OwnEvents own;
  private final LoopActivity activity;
  private final Healing healing;
  private final Retrying retrying;
  private final Endings endings;
  private final Coalescing coalescing;
  private final Deadlines deadlines;
  private final Starting starting;
  private final Closing closing;
  private final StateMaps states = new StateMaps();
  private final Dispatcher dispatcher;
  private final SerialLane serial;
  private final @Nullable OperationLane operations;
  private final Set<String> contributors = new HashSet<>();

  /** The event that this turn is about, or one before it was, if none has arrived. */
  private @Nullable EventRun last;

  private boolean hasArrived;

  /** One whose event is over, for the next; or that one again, in use. */
  private @Nullable EventRun spare;

  private boolean isSpare;

  private long seed;
  private int resyncs;
  private int takenSinceLast;
  private boolean healsPeriodically;

  @SuppressWarnings("unused") // through the handle
  private Instant lastProgress = Instant.EPOCH;

  private volatile int running;
  private volatile boolean ended;

  /** The thread of the last turn. */
  @SuppressWarnings("unused") // through the handle
  private @Nullable Thread thread;

  /** Written after the thread, and read before it; only that thread itself needs to know. */
  @SuppressWarnings("unused") // through the handle
  private boolean inTurn;

  /** A core that has not started. */
  public LoopCore(LoopParts parts, LoopEffects effects) {
    this.parts = parts;
    this.config = parts.config();
    this.limits = new Limits(parts.name());
    List<String> names = parts.handlers().stream().map(EventHandler::name).toList();
    this.activity = new LoopActivity(parts.name(), names);
    this.history = new HistoryStore(config, limits);
    this.witness = new Witness(parts);
    this.timing = new Timing(witness, parts.nanos());
    this.life = new Life(parts.elected() ? LoopState.STANDBY : LoopState.STARTING, witness);
    this.verifying = new Verifying(parts);
    this.own = new OwnEvents(life, queues, timing, witness, verifying);
    this.healing = new Healing(config, life, timing, own, this::abort);
    this.retrying = new Retrying(parts.engine(), life, timing, own, healing, this::isFrozen);
    this.endings =
        new Endings(queues, own, timing, witness, healing, retrying, history, this::answered);
    this.coalescing = new Coalescing(queues, endings, timing, witness, config.maxSuperseded());
    this.deadlines = new Deadlines(timing, this::deadlinePassed);
    this.starting = new Starting(this, config, life, queues, timing, history);
    this.closing = new Closing(this, config, life, queues, timing);
    this.dispatcher = new Dispatcher(effects, witness::decided, timing);
    InputCaches caches = new InputCaches(parts.sources());
    Chain chain =
        new Chain(
            parts.handlers(),
            names,
            new CoreContext(this, parts, life, timing, queues, own, witness, caches, states),
            timing,
            witness.looks()
                ? called -> decided(new LoopDecision.Called(called.run().id(), called.record()))
                : null,
            history.keeps() || witness.isRead() || witness.isCounted() || witness.looks(),
            activity);
    this.serial = new SerialLane(this, parts, chain, caches);
    this.operations =
        parts.operations().map(o -> new OperationLane(this, parts, chain, o)).orElse(null);
    parts.observer().onBuilt(parts);
    parts.observer().onStates(states::snapshot);
  }

  // What a driver asks.

  /** Whether there is something for {@link LoopInput.Proceed} to do. Core's thread. */
  public boolean hasReady() {
    return !ended && queues.hasReady(life);
  }

  /**
   * Whether it takes an event now, if only to let it wait where it is seen: by its deadline, and by
   * newer events of its key. Core's thread.
   */
  public boolean takesEvents() {
    return queues.isOwned() || takesEventsFirst() || life.dropsEvents() || !hasReady();
  }

  /**
   * Whether it takes an event even before {@link LoopInput.Proceed}: something that waits may be
   * superseded. Not for ever, however many are pushed. Core's thread.
   */
  public boolean takesEventsFirst() {
    return coalescing.isAny() && takenSinceLast < config.capacity();
  }

  /** When the next timer is due. Core's thread. */
  public Optional<Instant> nextTimer() {
    return timing.queue().next();
  }

  /** The number of a timer that is due, or 0. Core's thread. */
  public long dueTimer(Instant time) {
    return timing.queue().due(time);
  }

  /** Whether it waits to be told that nothing accepted is left. Core's thread. */
  public boolean wantsDrained() {
    return life.closing()
        && !ended
        && !queues.isOwned()
        && !hasReady()
        && (life.closeExpired() || operations == null || operations.running() == 0);
  }

  /** Whether closing takes no more time for what waits. Core's thread. */
  public boolean hurries() {
    return life.closeExpired();
  }

  /** Whether it has ended, and everything has its outcome. Any thread. */
  public boolean ended() {
    return ended;
  }

  /** Where in its life it is. Any thread. */
  public LoopState state() {
    return life.state();
  }

  /** Why it is degraded or aborting. Any thread. */
  public Optional<String> reason() {
    return life.reason();
  }

  /** When the last turn ended. Any thread. */
  public Instant lastProgress() {
    return (Instant) PROGRESS.getAcquire(this);
  }

  /** Operations between ADMIT and END. Any thread. */
  public int running() {
    return running;
  }

  /** What became of the shutdown event; absent before it has ended, or without one. Any thread. */
  public Optional<Outcome<Void>> shutdownOutcome() {
    return closing.shutdownOutcome();
  }

  /** What it has done. Any thread. */
  public History history() {
    return history;
  }

  /** How many records the history holds. Any thread. */
  public long historyRecords() {
    return history.records();
  }

  /** About how much memory the history takes. Any thread. */
  public long historyBytes() {
    return history.bytes();
  }

  /** How often its limits were reached. Any thread. */
  public Limits limits() {
    return limits;
  }

  /** How many healings after errors it has planned. Any thread. */
  public long healingsScheduled() {
    return healing.scheduled();
  }

  /** The number of the last turn. Core's thread. */
  public long turn() {
    return witness.turn();
  }

  /** What its thread is doing. Any thread. */
  public LoopActivity activity() {
    return activity;
  }

  /** The engine's history. Any thread. */
  public Optional<TransactionHistory> transactions() {
    return parts.engine().history();
  }

  /** What the engine has done. Any thread. */
  public EngineStatistics engineStatistics() {
    return parts.engine().statistics();
  }

  /** Who watches the engine's values, if anybody may. */
  @Nullable ValueWatchers watchers() {
    return watchers;
  }

  /** From now on statuses are told there; before the loop runs. */
  public void watchers(ValueWatchers told) {
    watchers = told;
  }

  /** The engine's values. Any thread. */
  public ValueReader values() {
    return parts.engine().values();
  }

  /** Whether the calling thread is in the middle of a turn. Any thread. */
  public boolean isInTurn() {
    return (boolean) IN_TURN.getAcquire(this) && THREAD.getOpaque(this) == Thread.currentThread();
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
    accept(input, time, EventRun.NEVER);
  }

  /**
   * The same.
   *
   * @param nanos the stopwatch at that time
   */
  public void accept(LoopInput input, Instant time, long nanos) {
    timing.turnTo(time);
    timing.read(nanos);
    beginTurn();
    try {
      boolean seen = witness.sees(input, timing.now());
      if (!seen) {
        abortUnlessSeen();
      }
      if (seen || !(input instanceof LoopInput.Submitted)) {
        process(input);
      } else {
        dropArrived(input);
      }
      abortUnlessSeen();
    } catch (RuntimeException | Error thrown) {
      LOG.error("Loop {}: turn {} failed", parts.name(), witness.turn(), thrown);
      abort("the loop itself failed: " + thrown);
      dropArrived(input);
      endBroken(thrown);
      hasArrived = false;
    } finally {
      endTurn();
    }
    spareArrived();
  }

  /** Without its observer the loop only answers what it has accepted, and ends. */
  private void abortUnlessSeen() {
    if (witness.failure().isPresent() && !life.isAborting() && state() != LoopState.CLOSED) {
      Throwable thrown = witness.failure().get();
      LOG.error("Loop {}: turn {} cannot be recorded", parts.name(), witness.turn(), thrown);
      abort("what it does cannot be recorded: " + thrown);
    }
  }

  /** The event of a turn that failed is answered, too. */
  private void dropArrived(LoopInput input) {
    EventRun run = arrived();
    if (run == null && input instanceof LoopInput.Submitted event) {
      run = new EventRun(event, Optional.empty(), 0);
    }
    if (run != null && !run.answered && !isOperation(run)) {
      endings.finish(run, life.dropped(run));
    }
  }

  /** An operation whose turn has failed in the middle is answered now: no other turn will do it. */
  private void endBroken(Throwable thrown) {
    EventRun run = arrived();
    if (operations != null && run != null) {
      operations.broken(
          run,
          Chain.loop(
              "turn",
              EvenkeelException.kindOf(thrown),
              "the loop itself failed: repeat the same request"));
    }
  }

  /** Its driver cannot go on: everything is answered, and it ends. Never throws. */
  public void kill(String why) {
    beginTurn();
    try {
      abort(why);
      closing.end();
    } catch (RuntimeException | Error thrown) {
      LOG.error("Loop {}: not everything could be answered", parts.name(), thrown);
      ended = true;
    } finally {
      endTurn();
    }
  }

  private void beginTurn() {
    Thread current = Thread.currentThread();
    if (thread != current) {
      THREAD.setOpaque(this, current);
    }
    IN_TURN.setRelease(this, true);
    hasArrived = false;
  }

  /** The turn is about that event. */
  private void arrives(@Nullable EventRun run) {
    hasArrived = run != null;
    if (run != null && last != run) {
      last = run;
    }
  }

  private @Nullable EventRun arrived() {
    return hasArrived ? last : null;
  }

  @SuppressWarnings("ReferenceEquality") // the same object need not be stored again
  private void endTurn() {
    IN_TURN.setRelease(this, false);
    activity.none();
    if (operations != null) {
      running = operations.running();
    }
    if (lastProgress != timing.now()) {
      PROGRESS.setRelease(this, timing.now());
    }
    endings.tellAll();
  }

  private void process(LoopInput input) {
    if (input instanceof LoopInput.Submitted event) {
      pushed(runOf(event));
    } else if (input instanceof LoopInput.Completed completed) {
      completed(completed);
    } else if (input instanceof LoopInput.Proceed) {
      proceed();
    } else if (input instanceof LoopInput.TimerFired fired) {
      timing.queue().fire(fired.timer());
    } else if (input instanceof LoopInput.Overdue overdue) {
      dispatcher.overdue(overdue);
    } else if (input instanceof LoopInput.Start start) {
      start(start.seed());
    } else if (input instanceof LoopInput.Close close) {
      closing.begin(close.until());
    } else if (input instanceof LoopInput.Drained) {
      closing.drained();
    } else if (input instanceof LoopInput.Led led) {
      starting.led(led.leads());
    }
    // LoopInput.Refused changes nothing: it is there to be recorded.
  }

  /** An event that has come and gone in this turn leaves its object to the next. */
  private void spareArrived() {
    EventRun run = arrived();
    if (run != null && run.isOver() && !queues.isOwned()) {
      run.clear();
      isSpare = true;
      if (spare != run) {
        spare = run;
      }
    } else if (run != null) {
      last = null;
      spare = isSpare ? spare : null;
      activity.forget();
      queues.forgetOwner();
      endings.forget();
    }
  }

  private EventRun runOf(LoopInput.Submitted event) {
    EventRun run = isSpare ? spare : null;
    isSpare = false;
    return run == null ? new EventRun(event, Optional.empty(), 0) : run.again(event);
  }

  private void start(long fromSeed) {
    seed = fromSeed;
    parts.engine().retryRandomness(n -> Randomness.of(fromSeed, n, "engine", "retry"));
    starting.start();
  }

  // The road of an event.

  /** Begins at once if nothing is in the way; else it waits where it is seen. */
  private void pushed(EventRun run) {
    arrives(run);
    takenSinceLast++;
    if (life.dropsEvents()) {
      endings.finish(run, life.dropped(run));
    } else if (life.passesGate(run)
        && !queues.isOwned()
        && !Coalescing.isPossible(run)
        && !hasReady()) {
      begin(run);
    } else {
      coalescing.wait(run);
      deadlines.watch(run);
    }
  }

  /** One of the loop's own. */
  private void submitted(EventRun run) {
    arrives(run);
    if (life.dropsEvents()) {
      endings.finish(run, life.dropped(run));
    } else if (life.passesGate(run)) {
      begin(run);
    } else {
      queues.wait(run);
      decided(new LoopDecision.Delayed(run.id()));
      deadlines.watch(run);
    }
  }

  private void proceed() {
    if (queues.isOwned() || ended) {
      return;
    }
    LoopInput.Completed completion = queues.nextCompletion();
    if (completion != null) {
      arrives(dispatcher.runOf(completion.work()));
      dispatcher.completed(completion);
      return;
    }
    EventRun next = queues.nextOwn();
    if (next != null) {
      submitted(next);
    } else {
      next = queues.nextWaiting(life);
      if (next != null) {
        coalescing.left(next);
        begin(next);
      }
    }
  }

  /** Completions of others wait while a serial event owns the loop (JT-1). */
  private void completed(LoopInput.Completed completion) {
    EventRun whose = dispatcher.runOf(completion.work());
    arrives(whose);
    if (completion.outcome() instanceof ActionOutcome.Failed failed
        && failed.thrown() instanceof VirtualMachineError) {
      abort("a worker met a fatal error: " + failed.thrown());
    }
    if (queues.isOwned() && whose != null && whose != queues.owner()) {
      queues.defer(completion);
    } else {
      dispatcher.completed(completion);
    }
  }

  void begin(EventRun run) {
    arrives(run);
    takenSinceLast = 0;
    run.term = life.term();
    Epoch epoch = parts.epoch().get();
    if (!run.epoch.equals(epoch)) {
      run.epoch = epoch;
    }
    activity.event(run);
    endings.begins(run);
    deadlines.watch(run);
    if (run.answered) {
      return;
    }
    Lane.Operation lane = run.lane();
    if (lane == null || run.fault.isPresent()) {
      queues.own(run);
      serial.begin(run);
    } else if (operations == null) {
      endings.refuse(
          run, ErrorKind.UNIMPLEMENTED, "this loop has no datastore, so it does no operations");
    } else {
      operations.admit(run, lane);
    }
  }

  private void deadlinePassed(EventRun run, Duration limit) {
    String text = "its deadline of " + limit + " has passed";
    boolean waited = queues.waitsNoMore(run);
    if (waited) {
      coalescing.left(run);
    }
    if (waited || (!run.hasTxn() && queues.owner() != run && !isOperation(run))) {
      endings.refuse(run, ErrorKind.DEADLINE_EXCEEDED, text + " before it began");
    } else if (queues.owner() == run) {
      serial.giveUp(limit);
    } else if (operations != null) {
      operations.giveUp(
          run, Chain.loop("wait", ErrorKind.DEADLINE_EXCEEDED, text + "; it goes on"));
    }
  }

  private boolean isOperation(EventRun run) {
    return operations != null && operations.events().contains(run);
  }

  // What the lanes say.

  void resyncBegins(EventRun run) {
    resyncs++;
    if (run.method() == EventMethod.FULL_RESYNC) {
      retrying.resyncs();
    }
    if (run.event() instanceof DatastoreResync) {
      life.resyncBegins();
      if (!healsPeriodically) {
        healsPeriodically = true;
        config.periodicHealing().ifPresent(own::healPeriodically);
      }
    }
    if (Endings.isHealing(run)) {
      healing.began();
    }
  }

  /** An event was applied without a failure. */
  void succeeded(EventRun run) {
    if (run.method() == EventMethod.FULL_RESYNC && life.lives() && run.term == life.term()) {
      inSync();
    }
  }

  private void inSync() {
    healing.cured();
    life.inSync();
  }

  /** A transaction of the engine has ended. */
  void committed(EventRun run) {
    if (run.event() instanceof EngineUpkeep) {
      retrying.upkept(run);
      if (retrying.takeCured()) {
        inSync();
      }
    }
    retrying.look();
  }

  void contributed(String handler) {
    contributors.add(handler);
  }

  boolean everContributed(String handler) {
    return contributors.contains(handler);
  }

  /** Paths that were frozen may be free again: the engine compares what it had to leave alone. */
  void thawed() {
    if (!parts.engine().dirty().isEmpty()) {
      own.thawed();
    }
  }

  /** An operation's values: the loop is owned until they are committed. */
  void commitUnderLocks(EventRun run) {
    queues.own(run);
    serial.commitUnderLocks(run);
  }

  boolean isFrozen(String path) {
    return operations != null && operations.isFrozen(path);
  }

  /** A fatal error: nothing is processed any more; what waits is answered (EL 32). */
  void abort(String why) {
    if (state() == LoopState.ABORTING || state() == LoopState.CLOSED) {
      return;
    }
    LOG.error("Loop {} is aborting: {}", parts.name(), why);
    healing.stop();
    retrying.stop();
    life.enter(LoopState.ABORTING, why);
    dropWaiting();
    EventRun open = queues.owner();
    if (open != null) {
      Outcome<?> dropped = life.dropped(open);
      endings.finish(
          open,
          serial.isActing() ? new Outcome.Unfinished<>(open.id(), dropped.failures()) : dropped);
    }
  }

  void dropWaiting() {
    queues.dropAll(this::drop);
  }

  void drop(EventRun run) {
    coalescing.left(run);
    endings.finish(run, life.dropped(run));
  }

  /** Those that it has superseded share its fate. */
  private void answered(EventRun run, Outcome<?> outcome) {
    coalescing.answered(run, outcome);
  }

  void ends() {
    ended = true;
  }

  // What the lanes ask.

  void finish(EventRun run, Outcome<?> outcome) {
    endings.finish(run, outcome);
  }

  Endings endings() {
    return endings;
  }

  Life life() {
    return life;
  }

  OwnEvents own() {
    return own;
  }

  Dispatcher dispatcher() {
    return dispatcher;
  }

  Healing healing() {
    return healing;
  }

  Verifying verifying() {
    return verifying;
  }

  Retrying retrying() {
    return retrying;
  }

  SerialLane serial() {
    return serial;
  }

  @Nullable OperationLane operations() {
    return operations;
  }

  Instant now() {
    return timing.now();
  }

  long seed() {
    return seed;
  }

  int resyncCount() {
    return resyncs;
  }

  void chosen(EventRun run) {
    witness.chosen(run);
  }

  void planned(EventRun run) {
    if (witness.looks()) {
      decided(new LoopDecision.Planned(run.id(), run.txn().entries()));
    }
  }

  private void decided(LoopDecision decision) {
    witness.decided(decision);
  }
}
