package dev.evenkeel.controller.internal;

import com.lmax.disruptor.EventProcessor;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.loop.EventId;
import dev.evenkeel.api.loop.EventQueueFullException;
import dev.evenkeel.api.loop.History;
import dev.evenkeel.api.loop.LoopClosedException;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.api.loop.LoopStatus;
import dev.evenkeel.api.loop.LoopThreadBlockedException;
import dev.evenkeel.api.loop.NotLeaderException;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.loop.StallListener;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.api.txn.EngineStatistics;
import dev.evenkeel.api.txn.TransactionHistory;
import dev.evenkeel.api.txn.ValueReader;
import dev.evenkeel.api.txn.ValueStatus;
import dev.evenkeel.api.volume.OperationExecutor;
import dev.evenkeel.controller.core.ControllerLoop;
import dev.evenkeel.controller.core.Durations;
import dev.evenkeel.controller.core.LoopClock;
import dev.evenkeel.controller.core.LoopConfig;
import dev.evenkeel.controller.core.LoopCore;
import dev.evenkeel.controller.core.LoopEffects;
import dev.evenkeel.controller.core.LoopInput;
import dev.evenkeel.controller.core.LoopParts;
import dev.evenkeel.controller.core.Work;
import dev.evenkeel.controller.flight.TurnEvent;
import dev.evenkeel.controller.metrics.LoopReadings;
import dev.evenkeel.txn.ActionOutcome;
import dev.evenkeel.txn.engine.ValueWatchers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop on a Disruptor ring, with one thread of its own: drives a {@link LoopCore}.
 *
 * <p>It is its own event processor, since the stock one drops what is published before it runs,
 * skips an event when it is interrupted, and gives slots free only at the end of a batch. Here, for
 * each event: the reference is taken, the slot nulled, the sequence moved, and then the event is
 * processed (JT-16). Control and completions have lanes of their own, which are never full (JT-9).
 *
 * <p>A push builds everything first, takes a permit, claims a slot, and stores one reference.
 * Closing shuts the permits, so whoever got one is still waited for, and nobody gets one after
 * that.
 */
public final class RingLoop implements ControllerLoop, EventProcessor, Ticket.Desk {
  private static final Logger LOG = LoggerFactory.getLogger(RingLoop.class);
  private static final Duration OVERDUE_LOOK = Duration.ofMillis(250);
  private static final int QUESTION_EVERY = 1024;
  private static final Duration CLOSE_GRACE = Duration.ofSeconds(2);

  private final String name;
  private final LoopConfig config;
  private final LoopClock clock;
  private final LoopCore core;
  private final Permits permits;
  private final Sleeper sleeper;
  private final RingBuffer<Slot> ring;
  private final Sequence sequence = new Sequence(-1);
  private final Queue<LoopInput> control = new ConcurrentLinkedQueue<>();
  private final Queue<LoopInput> completions = new ConcurrentLinkedQueue<>();
  private final Queue<Runnable> questions = new ConcurrentLinkedQueue<>();
  private final Deque<WorkRun> inline = new ArrayDeque<>();
  private final Map<Long, WorkRun> works = new ConcurrentSkipListMap<>();
  private final AtomicLong pushes = new AtomicLong();
  private final AtomicBoolean closeAsked = new AtomicBoolean();
  private final CountDownLatch runs = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Answers answers;
  private final ValueWatchers valueWatchers;
  private final Workers workers;
  private final Thread thread;
  private final StallReports reports;
  private final StallWatch stalls;
  private final Refusals refusals = new Refusals();
  private final List<Runnable> atEnd = new ArrayList<>();
  private final @Nullable OperationExecutor operations;
  private final Supplier<Epoch> epochs;
  private Instant lookForOverdue = Instant.MIN;
  private long taken = -1;
  private long busyTurns;

  /** A slot of the ring: one reference. */
  private static final class Slot {
    LoopInput.@Nullable Submitted event;
  }

  /** A loop that has not started. */
  public RingLoop(
      LoopParts parts, LoopClock clock, Supplier<Epoch> epochs, List<StallListener> watchers) {
    this.name = parts.name();
    this.config = parts.config();
    this.clock = clock;
    this.epochs = epochs;
    this.core = new LoopCore(parts, new Effects());
    this.permits = new Permits(config.capacity());
    this.sleeper = new Sleeper(clock);
    this.ring = RingBuffer.createMultiProducer(Slot::new, config.slots(), sleeper);
    this.ring.addGatingSequences(sequence);
    this.answers = new Answers("evenkeel-" + name + "-answers");
    this.valueWatchers = new ValueWatchers(answers);
    core.watchers(valueWatchers);
    this.workers = new Workers("evenkeel-" + name, config);
    this.thread = new Thread(this, "evenkeel-" + name);
    this.thread.setDaemon(true);
    this.reports = new StallReports(name, core, clock, thread, new Waiting(), watchers);
    this.stalls =
        new StallWatch(
            "evenkeel-" + name + "-watch",
            clock,
            config.stallWarning(),
            config.stallLimit(),
            reports);
    this.operations =
        parts.operations().map(o -> new LoopOperations(this, this, o.core(), clock)).orElse(null);
  }

  /** What it tells of itself. */
  public LoopReadings readings() {
    return new CoreReadings(name, core, this::status, refusals, reports::count, answers);
  }

  /** Something to be done when it has ended, on its thread; before {@link #start}. */
  public void atEnd(Runnable action) {
    atEnd.add(action);
  }

  /** Starts the thread, and returns when it runs. */
  public void start(long seed) {
    control.add(new LoopInput.Start(seed));
    answers.start();
    thread.start();
    stalls.start();
    boolean interrupted = false;
    while (runs.getCount() > 0) {
      try {
        runs.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Leadership has been won or lost. Any thread. */
  public void led(boolean leads) {
    control.add(new LoopInput.Led(leads));
    sleeper.signalAllWhenBlocking();
  }

  // Pushing.

  @Override
  public Submission<Void> pushEvent(Event event) {
    return push(event);
  }

  @Override
  public <R> Submission<R> pushEvent(Request<R> request) {
    return push(request);
  }

  @Override
  public Submission<Void> pushEvent(Event event, Duration maxWaitForRoom)
      throws InterruptedException {
    return push(event, maxWaitForRoom);
  }

  @Override
  public <R> Submission<R> pushEvent(Request<R> request, Duration maxWaitForRoom)
      throws InterruptedException {
    return push(request, maxWaitForRoom);
  }

  private <R> Submission<R> push(Event event) {
    LoopInput.Submitted built = build(event);
    if (!offer(built)) {
      throw full();
    }
    return ticket(built);
  }

  private <R> Submission<R> push(Event event, Duration limit) throws InterruptedException {
    LoopInput.Submitted built = build(event);
    long left = isLoopThread() ? 0 : Durations.bounded(limit).toNanos();
    while (!offer(built)) {
      if (left <= 0) {
        throw full();
      }
      left = permits.awaitRoom(left, () -> ring.remainingCapacity() == 0);
    }
    return ticket(built);
  }

  @SuppressWarnings("unchecked") // build() made the ticket for this event
  private static <R> Submission<R> ticket(LoopInput.Submitted built) {
    return (Submission<R>) built.reply();
  }

  private LoopInput.Submitted build(Event event) {
    Objects.requireNonNull(event, "event");
    EventId id = new EventId(2 * pushes.incrementAndGet() - 1);
    Ticket<Object> ticket = new Ticket<>(id, this);
    return LoopInput.Submitted.of(id, event, clock.now(), ticket);
  }

  /** Whether it is in the ring now; false when there is no room. */
  private boolean offer(LoopInput.Submitted built) {
    if (core.state() == LoopState.STANDBY) {
      refusals.add(LoopReadings.Refusal.NOT_LEADER);
      throw new NotLeaderException(name, epochs.get());
    }
    switch (permits.take()) {
      case CLOSED -> {
        refusals.add(LoopReadings.Refusal.CLOSED);
        throw new LoopClosedException(name, closedState());
      }
      case FULL -> {
        return false;
      }
      case YES -> {}
    }
    long claimed;
    try {
      claimed = ring.tryNext();
    } catch (InsufficientCapacityException noSlot) {
      permits.giveBack();
      sleeper.signalAllWhenBlocking();
      return false;
    }
    permits.used();
    ring.get(claimed).event = built;
    ring.publish(claimed);
    return true;
  }

  private EventQueueFullException full() {
    refusals.add(LoopReadings.Refusal.FULL);
    return new EventQueueFullException(permits.held(), permits.capacity());
  }

  private LoopState closedState() {
    LoopState state = core.state();
    return switch (state) {
      case ABORTING, CLOSED, DRAINING -> state;
      case STARTING, STANDBY, RUNNING, DEGRADED -> LoopState.DRAINING;
    };
  }

  @Override
  public void taken() {
    permits.release();
  }

  @Override
  public void later(Runnable completion) {
    answers.execute(completion);
  }

  // The loop thread.

  @Override
  public void run() {
    runs.countDown();
    try {
      while (!core.ended()) {
        turn();
      }
      leftovers();
    } catch (RuntimeException | Error thrown) {
      LOG.error("Loop {}: its thread dies", name, thrown);
      permits.close();
      core.kill("its thread died of " + thrown);
      leftovers();
    } finally {
      ended.countDown();
      answers.stop();
      workers.stop();
      stalls.stop();
      answerQuestions();
      atEnd.forEach(this::endQuietly);
    }
  }

  private void endQuietly(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | Error thrown) {
      LOG.warn("Loop {}: what was to be done at its end failed", name, thrown);
    }
  }

  private void turn() {
    forgetInterrupt();
    long read = clock.nanos();
    Instant now = clock.at(read);
    stalls.begin(now);
    LoopInput input = busyTurns % QUESTION_EVERY == 0 ? refusals.take() : null;
    if (input == null) {
      input = next(now);
    }
    if (input != null) {
      TurnEvent flight = TurnEvent.start();
      core.accept(input, now, read);
      if (flight != null) {
        flight.over(
            name,
            core.turn(),
            input.getClass().getSimpleName(),
            input.pushedId(),
            input.pushedEvent());
      }
    }
    if (input == null || ++busyTurns % QUESTION_EVERY == 0) {
      Runnable question = questions.poll();
      if (question != null) {
        question.run();
      } else if (input == null) {
        stalls.idle();
        sleep();
      }
    }
  }

  /** Control, completions, timers, what the core has ready, the ring: in this order. */
  private @Nullable LoopInput next(Instant now) {
    LoopInput input = control.poll();
    if (input != null) {
      return input;
    }
    WorkRun quick = inline.poll();
    if (quick != null) {
      makeHere(quick);
      return new LoopInput.Completed(quick.id(), quick.outcome());
    }
    input = completions.poll();
    if (input != null) {
      return input;
    }
    long timer = core.dueTimer(now);
    if (timer != 0) {
      return new LoopInput.TimerFired(timer);
    }
    input = overdue(now);
    if (input != null) {
      return input;
    }
    if (core.takesEventsFirst() && isPublished()) {
      return take();
    }
    if (core.hasReady()) {
      return new LoopInput.Proceed();
    }
    if (isPublished()) {
      return take();
    }
    input = refusals.take();
    if (input != null) {
      return input;
    }
    return isDrained() ? new LoopInput.Drained() : null;
  }

  /** A quick call, on the loop's own thread. */
  private void makeHere(WorkRun quick) {
    WorkRun.Current call = quick.current();
    if (call != null) {
      core.activity().enter(call.action().owner(), call.action().target());
    }
    quick.make();
    core.activity().leave();
  }

  private boolean isPublished() {
    return ring.isAvailable(taken + 1);
  }

  /** Takes the reference, nulls the slot, moves the sequence. */
  private LoopInput.Submitted take() {
    Slot slot = ring.get(++taken);
    LoopInput.Submitted event = Objects.requireNonNull(slot.event, "a published slot is empty");
    slot.event = null;
    sequence.set(taken);
    permits.roomMade();
    return event;
  }

  private boolean isDrained() {
    return core.wantsDrained() && !isPublished() && (permits.held() == 0 || core.hurries());
  }

  private @Nullable LoopInput overdue(Instant now) {
    if (works.isEmpty() || now.isBefore(lookForOverdue)) {
      return null;
    }
    for (WorkRun run : works.values()) {
      WorkRun.Current late = run.overdue(now);
      if (late != null) {
        return new LoopInput.Overdue(run.id(), late.action().target(), late.limit());
      }
    }
    lookForOverdue = now.plus(OVERDUE_LOOK);
    return null;
  }

  private void sleep() {
    Optional<Instant> until = core.nextTimer();
    if (!works.isEmpty() && (until.isEmpty() || lookForOverdue.isBefore(until.get()))) {
      until = Optional.of(lookForOverdue);
    }
    sleeper.sleep(until, this::hasSomething);
  }

  private void forgetInterrupt() {
    if (Thread.interrupted()) {
      LOG.debug("Loop {}: a thread of its own was interrupted, and goes on", name);
    }
  }

  private boolean hasSomething() {
    return !control.isEmpty()
        || !completions.isEmpty()
        || !questions.isEmpty()
        || (core.takesEvents() && isPublished())
        || isDrained();
  }

  private void answerQuestions() {
    Runnable question = questions.poll();
    while (question != null) {
      question.run();
      question = questions.poll();
    }
  }

  /** Answers whoever had a permit before closing and has published since. */
  private void leftovers() {
    while (permits.held() > 0 || isPublished()) {
      if (isPublished()) {
        core.accept(take(), clock.now());
      } else {
        LockSupport.parkNanos(this, 50_000);
      }
    }
  }

  /** What the core has done. */
  private final class Effects implements LoopEffects {
    @Override
    public void run(Work work) {
      WorkRun run = new WorkRun(name, work, clock);
      WorkRun.Current first = run.current();
      if (first == null) {
        completions.add(new LoopInput.Completed(run.id(), run.outcome()));
      } else if (work instanceof Work.Call && first.action().inline()) {
        inline.add(run);
      } else {
        hand(run);
      }
    }

    private void hand(WorkRun run) {
      works.put(run.id(), run);
      lookForOverdue = Instant.MIN;
      try {
        workers.execute(() -> work(run));
      } catch (RejectedExecutionException tooMany) {
        works.remove(run.id());
        IllegalStateException why = new IllegalStateException("too many calls hang", tooMany);
        completions.add(
            new LoopInput.Completed(run.id(), new ActionOutcome.Failed(why, Duration.ZERO)));
      }
    }

    private void work(WorkRun run) {
      ActionOutcome outcome;
      try {
        while (run.current() != null) {
          forgetInterrupt();
          run.make();
        }
        outcome = run.outcome();
      } catch (RuntimeException | Error broken) {
        outcome = new ActionOutcome.Failed(broken, Duration.ZERO);
      }
      works.remove(run.id());
      completions.add(new LoopInput.Completed(run.id(), outcome));
      sleeper.signalAllWhenBlocking();
    }

    @Override
    public void cancel(long work) {
      WorkRun run = works.get(work);
      if (run != null) {
        run.cancel();
      }
    }
  }

  // Looking, and closing.

  @Override
  public LoopStatus status() {
    return new LoopStatus(
        permits.isClosed() && core.state() != LoopState.CLOSED ? closedState() : core.state(),
        core.reason(),
        permits.held(),
        permits.highWater(),
        permits.capacity(),
        core.running(),
        core.lastProgress(),
        core.ended() ? Duration.ZERO : stalls.held(clock.now()),
        stalls.stall());
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
    return valueWatchers.add(paths, watcher);
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
    if (operations == null) {
      throw new IllegalStateException("loop " + name + " was made without a datastore");
    }
    return operations;
  }

  @Override
  public SortedMap<String, SortedMap<String, Object>> handlerState() {
    if (isLoopThread()) {
      throw new LoopThreadBlockedException("the state between two turns");
    }
    if (ended.getCount() == 0) {
      return core.stateSnapshot();
    }
    CompletableFuture<SortedMap<String, SortedMap<String, Object>>> answer =
        new CompletableFuture<>();
    questions.add(() -> answer.complete(core.stateSnapshot()));
    sleeper.signalAllWhenBlocking();
    return ended.getCount() == 0 ? core.stateSnapshot() : answer.join();
  }

  @Override
  public void close() {
    var unused = close(config.closeLimit());
  }

  @Override
  public Optional<Outcome<Void>> close(Duration given) {
    Duration limit = Durations.bounded(given);
    permits.close();
    if (closeAsked.compareAndSet(false, true)) {
      control.add(new LoopInput.Close(clock.now().plus(limit)));
      sleeper.signalAllWhenBlocking();
    }
    if (isLoopThread()) {
      return Optional.empty();
    }
    Duration longest = limit.plus(config.shutdownLimit()).plus(CLOSE_GRACE);
    long until = System.nanoTime() + longest.toNanos();
    boolean interrupted = Thread.interrupted();
    try {
      if (ended.await(interrupted ? 0 : longest.toNanos(), TimeUnit.NANOSECONDS)) {
        answers.awaitEnd(Duration.ofNanos(Math.max(1, until - System.nanoTime())));
      } else if (!interrupted) {
        reportStuck(longest);
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return ended.getCount() == 0 ? core.shutdownOutcome() : Optional.empty();
  }

  /** What waits, for the stall watch's thread. */
  private final class Waiting implements StallReports.Queue {
    @Override
    public void wake() {
      sleeper.signalAllWhenBlocking();
    }

    @Override
    public int waiting() {
      return permits.held();
    }

    @Override
    public List<LoopInput.Submitted> first(int most) {
      List<LoopInput.Submitted> events = new ArrayList<>();
      long from = sequence.get() + 1;
      for (long at = from; at < from + most && ring.isAvailable(at); at++) {
        LoopInput.Submitted event = ring.get(at).event;
        if (event != null) {
          events.add(event);
        }
      }
      return events;
    }
  }

  private void reportStuck(Duration longest) {
    StringBuilder stack = new StringBuilder();
    for (StackTraceElement element : thread.getStackTrace()) {
      stack.append("\n  at ").append(element);
    }
    LOG.error("Loop {} has not ended within {}; its thread is at:{}", name, longest, stack);
  }

  // What its users' threads meet.

  @Override
  public boolean isLoopThread() {
    return Thread.currentThread() == thread;
  }

  @Override
  public Executor executor() {
    return answers;
  }

  @Override
  public Sequence getSequence() {
    return sequence;
  }

  /** Closes without waiting; the ring's owner has no other way to stop it. */
  @Override
  public void halt() {
    permits.close();
    if (closeAsked.compareAndSet(false, true)) {
      control.add(new LoopInput.Close(clock.now()));
      sleeper.signalAllWhenBlocking();
    }
  }

  @Override
  public boolean isRunning() {
    return runs.getCount() == 0 && ended.getCount() > 0;
  }
}
