package dev.evenkeel.controller.manual;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.loop.EventId;
import dev.evenkeel.api.loop.EventQueueFullException;
import dev.evenkeel.api.loop.History;
import dev.evenkeel.api.loop.LoopClosedException;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.api.loop.LoopStatus;
import dev.evenkeel.api.loop.NotLeaderException;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.api.txn.EngineStatistics;
import dev.evenkeel.api.txn.TransactionHistory;
import dev.evenkeel.api.txn.ValueReader;
import dev.evenkeel.api.txn.ValueStatus;
import dev.evenkeel.api.volume.OperationExecutor;
import dev.evenkeel.controller.core.ControllerLoop;
import dev.evenkeel.controller.core.Durations;
import dev.evenkeel.controller.core.LoopConfig;
import dev.evenkeel.controller.core.LoopCore;
import dev.evenkeel.controller.core.LoopEffects;
import dev.evenkeel.controller.core.LoopInput;
import dev.evenkeel.controller.core.LoopParts;
import dev.evenkeel.controller.core.Work;
import dev.evenkeel.controller.flight.TurnEvent;
import dev.evenkeel.controller.internal.CoreReadings;
import dev.evenkeel.controller.internal.LoopOperations;
import dev.evenkeel.controller.internal.Permits;
import dev.evenkeel.controller.internal.Refusals;
import dev.evenkeel.controller.internal.Ticket;
import dev.evenkeel.controller.internal.WorkRun;
import dev.evenkeel.controller.metrics.LoopReadings;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.engine.ValueWatchers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The loop on the caller's own thread: nothing happens but in {@link #run}, {@link #advance},
 * {@link #close} and while waiting for a {@link Submission}. The same core as on the ring, the same
 * order of lanes, a clock that is turned by hand. Calls on the outside are made between two turns,
 * unless {@link #hold} keeps them back. For tests and simulations; one thread, only pushing is
 * allowed to others.
 */
public final class ManualLoop implements ControllerLoop {
  private final String name;
  private final LoopConfig config;
  private final ManualClock clock;
  private final ValueWatchers watchers = new ValueWatchers(Runnable::run);
  private final LoopCore core;
  private final Permits permits;
  private final Desk desk = new Desk();
  private final Queue<LoopInput> control = new ConcurrentLinkedQueue<>();
  private final Queue<LoopInput> completions = new ConcurrentLinkedQueue<>();
  private final Queue<LoopInput.Submitted> events = new ConcurrentLinkedQueue<>();
  private final Queue<Runnable> answers = new ConcurrentLinkedQueue<>();
  private final List<WorkRun> works = new ArrayList<>();
  private final AtomicLong pushes = new AtomicLong();
  private final Optional<OperationExecutor> operations;
  private final Supplier<Epoch> epochs;
  private Predicate<Action> hold = action -> false;
  private final Refusals refusals = new Refusals();
  private final List<Runnable> atEnd = new ArrayList<>();
  private boolean closeAsked;
  private boolean stepping;

  /** A loop; {@code EventLoops.builder(…).manual(clock)} is the way to get one that has started. */
  public ManualLoop(LoopParts parts, ManualClock clock, Supplier<Epoch> epochs) {
    this.name = parts.name();
    this.config = parts.config();
    this.clock = clock;
    this.epochs = epochs;
    this.core = new LoopCore(parts, new Effects());
    this.core.watchers(watchers);
    this.permits = new Permits(config.capacity());
    this.operations = parts.operations().map(o -> new LoopOperations(this, desk, o.core(), clock));
  }

  /** Starts it; once. */
  public void start(long seed) {
    core.accept(new LoopInput.Start(seed), clock.now());
  }

  /** What it tells of itself. */
  public LoopReadings readings() {
    return new CoreReadings(name, core, this::status, refusals, level -> 0, Runnable::run);
  }

  /** Something to be done when it has been closed. */
  public void atEnd(Runnable action) {
    atEnd.add(action);
  }

  // What tests do.

  /** Runs turn after turn until nothing is left to do now. Gives the number of turns. */
  public int run() {
    int turns = 0;
    while (step()) {
      turns++;
    }
    return turns;
  }

  /** One turn, or one call on the outside; false when there is nothing to do now. */
  public boolean step() {
    if (stepping) {
      throw new IllegalStateException("the loop is in the middle of a turn already");
    }
    stepping = true;
    try {
      Instant now = clock.now();
      LoopInput input = next(now);
      if (input != null) {
        TurnEvent flight = TurnEvent.start();
        core.accept(input, now);
        if (flight != null) {
          flight.over(
              name,
              core.turn(),
              input.getClass().getSimpleName(),
              input.pushedId(),
              input.pushedEvent());
        }
        return true;
      }
      return makeCall();
    } finally {
      stepping = false;
      answerAll();
    }
  }

  /** Turns the clock, timer by timer, and runs what becomes due. */
  public void advance(Duration by) {
    Instant target = clock.now().plus(by);
    run();
    Optional<Instant> next = nextDue(target);
    while (next.isPresent()) {
      turnTo(next.get());
      run();
      next = nextDue(target);
    }
    turnTo(target);
    run();
  }

  private Optional<Instant> nextDue(Instant target) {
    Optional<Instant> next = core.ended() ? Optional.empty() : core.nextTimer();
    for (WorkRun work : works) {
      Optional<Instant> due = work.overdueAt();
      if (due.isPresent() && (next.isEmpty() || due.get().isBefore(next.get()))) {
        next = due;
      }
    }
    return next.filter(time -> !time.isAfter(target));
  }

  private void turnTo(Instant time) {
    if (time.isAfter(clock.now())) {
      clock.advance(Duration.between(clock.now(), time));
    }
  }

  /** Calls like these are not made any more, until they are released. */
  public void hold(Predicate<Action> which) {
    hold = which;
  }

  /** The calls that are held back now, in the order in which they were wanted. */
  public List<Held> held() {
    List<Held> held = new ArrayList<>();
    for (WorkRun work : works) {
      WorkRun.Current current = work.current();
      if (current != null && hold.test(current.action())) {
        held.add(new Held(work, current.action()));
      }
    }
    return held;
  }

  /** Makes every call that is held back, and those that follow; holds none any more. */
  public void releaseAll() {
    hold = action -> false;
    run();
  }

  /** A call that is held back. */
  public final class Held {
    private final WorkRun work;
    private final Action action;

    private Held(WorkRun work, Action action) {
      this.work = work;
      this.action = action;
    }

    /** The call. */
    public Action action() {
      return action;
    }

    /** Makes it, and runs what can run then. */
    public void release() {
      WorkRun.Current current = work.current();
      if (current == null || current.action() != action) {
        throw new IllegalStateException("it was made already: " + action.target());
      }
      make(work);
      run();
    }
  }

  /** The core, to look into. */
  public LoopCore core() {
    return core;
  }

  /** The clock that it goes by. */
  public ManualClock clock() {
    return clock;
  }

  /** Leadership has been won or lost. */
  public void led(boolean leads) {
    control.add(new LoopInput.Led(leads));
  }

  // Driving.

  private @Nullable LoopInput next(Instant now) {
    LoopInput input = control.poll();
    if (input == null) {
      input = completions.poll();
    }
    if (input == null && core.dueTimer(now) != 0) {
      input = new LoopInput.TimerFired(core.dueTimer(now));
    }
    if (input == null) {
      input = overdue(now);
    }
    if (input != null || hasCall()) {
      return input;
    }
    if (core.takesEventsFirst() && !events.isEmpty()) {
      return events.remove();
    }
    if (core.hasReady()) {
      return new LoopInput.Proceed();
    }
    if (core.takesEvents() && !events.isEmpty()) {
      return events.remove();
    }
    input = refusals.take();
    if (input != null) {
      return input;
    }
    boolean drained = permits.held() == 0 || core.hurries();
    return core.wantsDrained() && events.isEmpty() && drained ? new LoopInput.Drained() : null;
  }

  private @Nullable LoopInput overdue(Instant now) {
    for (WorkRun work : works) {
      WorkRun.Current late = work.overdue(now);
      if (late != null) {
        return new LoopInput.Overdue(work.id(), late.action().target(), late.limit());
      }
    }
    return null;
  }

  private boolean hasCall() {
    return works.stream().anyMatch(this::mayGoOn);
  }

  private boolean mayGoOn(WorkRun work) {
    WorkRun.Current current = work.current();
    return current != null && !hold.test(current.action());
  }

  private boolean makeCall() {
    Optional<WorkRun> first = works.stream().filter(this::mayGoOn).findFirst();
    first.ifPresent(this::make);
    return first.isPresent();
  }

  private void make(WorkRun work) {
    work.make();
    if (work.current() == null) {
      works.remove(work);
      completions.add(new LoopInput.Completed(work.id(), work.outcome()));
    }
  }

  private void answerAll() {
    Runnable answer = answers.poll();
    while (answer != null) {
      answer.run();
      answer = answers.poll();
    }
  }

  /** What the core has done. */
  private final class Effects implements LoopEffects {
    @Override
    public void run(Work work) {
      WorkRun run = new WorkRun(name, work, clock);
      if (run.current() == null) {
        completions.add(new LoopInput.Completed(run.id(), run.outcome()));
      } else {
        works.add(run);
      }
    }

    @Override
    public void cancel(long work) {
      works.stream().filter(run -> run.id() == work).forEach(WorkRun::cancel);
    }
  }

  /** The test's thread is the loop's: it must not wait, but it can do the work itself. */
  private final class Desk implements Ticket.Desk {
    private final Thread owner = Thread.currentThread();

    @Override
    public void taken() {
      permits.release();
    }

    @Override
    public void later(Runnable completion) {
      answers.add(completion);
    }

    @Override
    public boolean isLoopThread() {
      return Thread.currentThread() == owner;
    }

    @Override
    public void helpUntil(BooleanSupplier done) {
      if (isLoopThread() && !stepping) {
        while (!done.getAsBoolean()) {
          if (!step()) {
            return;
          }
        }
      }
    }

    @Override
    public Executor executor() {
      return Runnable::run;
    }
  }

  // The loop.

  @Override
  public Submission<Void> pushEvent(Event event) {
    return push(event);
  }

  @Override
  public <R> Submission<R> pushEvent(Request<R> request) {
    return push(request);
  }

  @Override
  public Submission<Void> pushEvent(Event event, Duration maxWaitForRoom) {
    makeRoom();
    return push(event);
  }

  @Override
  public <R> Submission<R> pushEvent(Request<R> request, Duration maxWaitForRoom) {
    makeRoom();
    return push(request);
  }

  private void makeRoom() {
    desk.helpUntil(() -> permits.held() < permits.capacity());
  }

  private <R> Submission<R> push(Event event) {
    Objects.requireNonNull(event, "event");
    EventId id = new EventId(2 * pushes.incrementAndGet() - 1);
    Ticket<R> ticket = new Ticket<>(id, desk);
    LoopInput.Submitted built = LoopInput.Submitted.of(id, event, clock.now(), ticket);
    if (core.state() == LoopState.STANDBY) {
      refusals.add(LoopReadings.Refusal.NOT_LEADER);
      throw new NotLeaderException(name, epochs.get());
    }
    switch (permits.take()) {
      case CLOSED -> {
        refusals.add(LoopReadings.Refusal.CLOSED);
        throw new LoopClosedException(name, status().state());
      }
      case FULL -> {
        refusals.add(LoopReadings.Refusal.FULL);
        throw new EventQueueFullException(permits.held(), permits.capacity());
      }
      case YES -> {
        permits.used();
        events.add(built);
      }
    }
    return ticket;
  }

  @Override
  public LoopStatus status() {
    LoopState state = core.state();
    boolean draining =
        permits.isClosed() && state != LoopState.CLOSED && state != LoopState.ABORTING;
    return new LoopStatus(
        draining ? LoopState.DRAINING : state,
        core.reason(),
        permits.held(),
        permits.highWater(),
        permits.capacity(),
        core.running(),
        core.lastProgress(),
        Duration.ZERO,
        Optional.empty());
  }

  @Override
  public History history() {
    return core.history();
  }

  @Override
  public Optional<TransactionHistory> transactions() {
    return core.transactions();
  }

  @Override
  public AutoCloseable watchValues(Predicate<String> paths, Consumer<ValueStatus> watcher) {
    return watchers.add(paths, watcher);
  }

  @Override
  public EngineStatistics engineStatistics() {
    return core.engineStatistics();
  }

  @Override
  public ValueReader values() {
    return core.values();
  }

  @Override
  public OperationExecutor operations() {
    return operations.orElseThrow(
        () -> new IllegalStateException("loop " + name + " was made without a datastore"));
  }

  @Override
  public SortedMap<String, SortedMap<String, Object>> handlerState() {
    return core.stateSnapshot();
  }

  @Override
  public void close() {
    var unused = close(config.closeLimit());
  }

  /** Closes; where the real loop would wait, the clock is turned, up to the limit. */
  @Override
  public Optional<Outcome<Void>> close(Duration given) {
    Duration limit = Durations.bounded(given);
    permits.close();
    if (!closeAsked) {
      closeAsked = true;
      control.add(new LoopInput.Close(clock.now().plus(limit)));
    }
    if (stepping || !desk.isLoopThread()) {
      return Optional.empty();
    }
    run();
    Instant longest = clock.now().plus(limit).plus(config.shutdownLimit());
    while (!core.ended()) {
      Optional<Instant> next = nextDue(longest);
      if (next.isEmpty()) {
        throw new IllegalStateException("the loop " + name + " does not end");
      }
      turnTo(next.get());
      run();
    }
    answerAll();
    atEnd.forEach(Runnable::run);
    atEnd.clear();
    return core.shutdownOutcome();
  }
}
