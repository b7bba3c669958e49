package dev.evenkeel.txn.mailbox;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.event.Notification;
import dev.evenkeel.api.txn.CommitOptions;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.EngineStatistics;
import dev.evenkeel.api.txn.ObserveValues;
import dev.evenkeel.api.txn.ObservedValues;
import dev.evenkeel.api.txn.ReentrantCallException;
import dev.evenkeel.api.txn.TransactionEngine;
import dev.evenkeel.api.txn.TransactionHistory;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.Txn;
import dev.evenkeel.api.txn.ValueReader;
import dev.evenkeel.api.txn.ValueStatus;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.ActionOutcome;
import dev.evenkeel.txn.Cursor;
import dev.evenkeel.txn.TxnCollector;
import dev.evenkeel.txn.engine.EngineCore;
import dev.evenkeel.txn.engine.EngineTransaction;
import dev.evenkeel.txn.engine.PlannedRetry;
import dev.evenkeel.txn.engine.ValueWatchers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An engine with a queue and a thread of its own (rules 11 to 16). The thread owns the core; calls
 * of descriptors are made on workers unless they are quick; results complete on a third thread, so
 * that what depends on them holds up nothing.
 */
final class Mailbox implements TransactionEngine {
  private static final Logger LOG = LoggerFactory.getLogger(Mailbox.class);

  /** The engine one of whose callbacks the thread runs. */
  private static final ThreadLocal<@Nullable Mailbox> INSIDE = new ThreadLocal<>();

  private final String name;
  private final EngineCore core;
  private final EngineClock clock;
  private final Seam seam;
  private final Duration closeLimit;
  private final MailQueue queue;
  private final Calls calls;
  private final Thread thread;
  private final ThreadPoolExecutor answers;
  private final Promise.Guard guard = new Inside();
  private final ValueWatchers watchers;
  private final Arrivals arrivals = new Arrivals();
  private boolean retryQueued;
  private Optional<PlannedRetry> retrying = Optional.empty();

  /** What the builder says, and who makes the calls. */
  Mailbox(TransactionEngines.Builder builder, EngineCore core, Seam seam) {
    this.name = builder.name;
    this.core = core;
    this.clock = builder.clock;
    this.seam = seam;
    this.closeLimit = builder.closeLimit;
    this.queue = new MailQueue(builder.capacity, clock);
    this.calls = new Calls(this, builder.callLimit, builder.maxHung, this::returnedLate);
    this.answers =
        new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(),
            task -> thread(task, "-answers"));
    this.watchers = new ValueWatchers(answers);
    this.thread = thread(this::work, "-engine");
  }

  void start() {
    thread.start();
  }

  Thread thread(Runnable task, String suffix) {
    Thread made = new Thread(task, name + suffix);
    made.setDaemon(true);
    return made;
  }

  EngineClock clock() {
    return clock;
  }

  Seam seam() {
    return seam;
  }

  private final class Inside implements Promise.Guard {
    @Override
    public boolean isInside() {
      return Thread.currentThread() == thread || INSIDE.get() == Mailbox.this;
    }

    @Override
    public Executor executor() {
      return answers;
    }
  }

  /** The thread begins to run a callback; gives what it ran before. */
  static @Nullable Mailbox enter(Mailbox mailbox) {
    Mailbox outer = INSIDE.get();
    INSIDE.set(mailbox);
    return outer;
  }

  static void leave(@Nullable Mailbox outer) {
    if (outer == null) {
      INSIDE.remove();
    } else {
      INSIDE.set(outer);
    }
  }

  /** An interrupt of the engine's thread means nothing: it would only keep it from sleeping. */
  static void clearInterrupt() {
    boolean unused = Thread.interrupted();
  }

  // What others ask for.

  private void outside(String what) {
    if (guard.isInside()) {
      throw new ReentrantCallException(what);
    }
  }

  @Override
  public Commit commit(CommitOptions options, Consumer<Txn> changes, Duration maxWaitForRoom)
      throws InterruptedException {
    outside("committing");
    TxnCollector collected =
        new TxnCollector(
            options.method() == EventMethod.UPDATE
                ? TxnCollector.Mode.SERIAL
                : TxnCollector.Mode.RESYNC,
            core.values());
    collected.owner(name);
    changes.accept(collected);
    EngineTransaction asked = transaction(options, collected, clock.now());
    Optional<String> reason = EngineCore.refusal(asked);
    Mail mail =
        Mail.asked(
            c -> {
              EngineTransaction txn = transaction(options, collected, clock.now());
              return Optional.of(options.dryRun() ? c.dryRun(() -> c.begin(txn)) : c.begin(txn));
            },
            guard);
    if (reason.isPresent()) {
      return refused(mail, ErrorKind.INVALID, reason.get());
    }
    return queued(mail, queue.ask(mail, maxWaitForRoom));
  }

  private EngineTransaction transaction(
      CommitOptions options, TxnCollector collected, Instant now) {
    return new EngineTransaction(
        options.method(),
        options.revertOnFailure(),
        options.description(),
        collected.entries(),
        Set.of(),
        seam::isFrozen,
        options.retry(),
        now);
  }

  @Override
  public Commit notifyValues(Notification notification) {
    outside("notifying");
    return submit(c -> Optional.of(c.beginNotification(notification, seam::isFrozen, clock.now())));
  }

  /** Queues something without waiting for room. */
  Commit submit(Mail.Begin begin) {
    Mail mail = Mail.asked(begin, guard);
    try {
      return queued(mail, queue.ask(mail, Duration.ZERO));
    } catch (InterruptedException impossible) {
      throw new IllegalStateException("it does not wait", impossible);
    }
  }

  private Commit queued(Mail mail, MailQueue.Put put) {
    switch (put) {
      case QUEUED -> clock.wake(thread);
      case FULL -> {
        return refused(mail, ErrorKind.RESOURCE_EXHAUSTED, "the queue is full");
      }
      case CLOSED -> {
        return refused(mail, ErrorKind.UNAVAILABLE, "the engine is closed");
      }
    }
    return new Handle(mail);
  }

  private Commit refused(Mail mail, ErrorKind kind, String why) {
    finish(mail, mail.nothing(TransactionOutcome.REJECTED, Failure.of(name, "commit", kind, why)));
    return new Handle(mail);
  }

  /** A queued transaction, for whoever asked for it. */
  private final class Handle implements Commit {
    private final Mail mail;

    Handle(Mail mail) {
      this.mail = mail;
    }

    @Override
    public long number() {
      return mail.number;
    }

    @Override
    public CompletionStage<TransactionResult> result() {
      return mail.result;
    }

    @Override
    public boolean cancel() {
      boolean removed = queue.remove(mail);
      if (removed) {
        cancelled(mail, "it was cancelled before it began");
      }
      return removed;
    }
  }

  private void cancelled(Mail mail, String why) {
    Failure failure = Failure.of(name, "commit", ErrorKind.CANCELLED, why);
    finish(mail, mail.nothing(TransactionOutcome.CANCELLED, failure));
    answers.execute(() -> mail.passed.finish(Optional.of(failure)));
    if (mail.look != null) {
      Mail.Look look = mail.look;
      answers.execute(() -> look.fail(failure));
    }
  }

  private void finish(Mail mail, TransactionResult result) {
    if (answers.isShutdown()) {
      mail.result.finish(result);
    } else {
      answers.execute(() -> mail.result.finish(result));
    }
  }

  @Override
  public Commit register(Descriptor<?, ?> descriptor) {
    outside("registering");
    return submit(c -> Optional.of(c.beginRegister(descriptor, seam::isFrozen, clock.now())));
  }

  @Override
  public CompletionStage<Void> whenRegistered(String prefix) {
    outside("waiting for a descriptor");
    Promise<Optional<Failure>> arrival = new Promise<>(guard);
    arrivals.add(prefix, arrival);
    arrivals.arrived(core.prefixes()); // it may have come meanwhile
    if (queue.isClosed()) {
      arrivals.end(closed("registered"));
    }
    return unlessFailed(arrival);
  }

  @Override
  public List<String> prefixes() {
    return core.prefixes();
  }

  @Override
  public CompletionStage<Void> barrier() {
    outside("a barrier");
    Mail mail = queue.barrier(Mail.barrier(guard)).orElse(null);
    if (mail == null) {
      mail = Mail.barrier(guard);
      mail.passed.finish(Optional.of(closed("barrier")));
    } else {
      clock.wake(thread);
    }
    return unlessFailed(mail.passed);
  }

  private static CompletionStage<Void> unlessFailed(Promise<Optional<Failure>> stage) {
    return stage.thenAccept(
        failure -> {
          if (failure.isPresent()) {
            throw new EvenkeelException(failure.get().kind(), failure.get().message());
          }
        });
  }

  private Failure closed(String operation) {
    return Failure.of(name, operation, ErrorKind.UNAVAILABLE, "the engine is closed");
  }

  @Override
  public List<ValueStatus> validate(Consumer<Txn> values) {
    outside("validating");
    TxnCollector collected = new TxnCollector(TxnCollector.Mode.RESYNC, core.values());
    collected.owner(name);
    values.accept(collected);
    return core.validate(collected.entries());
  }

  @Override
  public CompletionStage<ObservedValues> observe(ObserveValues asked) {
    outside("observing");
    Mail mail = Mail.look(asked, guard);
    Mail.Look look = Objects.requireNonNull(mail.look);
    try {
      switch (queue.ask(mail, Duration.ZERO)) {
        case QUEUED -> clock.wake(thread);
        case FULL ->
            look.fail(
                Failure.of(name, "observe", ErrorKind.RESOURCE_EXHAUSTED, "the queue is full"));
        case CLOSED -> look.fail(closed("observe"));
      }
    } catch (InterruptedException impossible) {
      throw new IllegalStateException("it does not wait", impossible);
    }
    return look.seen()
        .thenApply(
            seen -> {
              if (seen.failure().isPresent()) {
                Failure why = seen.failure().get();
                throw new EvenkeelException(why.kind(), why.message());
              }
              return seen.values();
            });
  }

  @Override
  public AutoCloseable watch(Predicate<String> paths, Consumer<ValueStatus> watcher) {
    outside("watching");
    return watchers.add(paths, watcher);
  }

  @Override
  public EngineStatistics statistics() {
    return core.statistics();
  }

  @Override
  public Optional<TransactionHistory> transactions() {
    return core.history();
  }

  @Override
  public ValueReader values() {
    return core.values();
  }

  // The engine's thread.

  private void work() {
    try {
      while (!queue.isClosed()) {
        planRetry();
        Mail mail = queue.poll();
        if (mail == null) {
          sleep();
        } else {
          process(mail);
        }
      }
    } catch (Throwable fatal) { // everything that waits is answered, and nothing is taken any more
      LOG.error("Engine {} ends: what cannot be gone on from has happened", name, fatal);
      cancelAll("the engine has ended: " + fatal);
    }
  }

  /** A retry that is due takes its place at the end of the queue. */
  private void planRetry() {
    if (!retryQueued && dueRetry().isPresent()) {
      retryQueued = queue.own(Mail.own(this::retry, guard));
    }
  }

  private Optional<PlannedRetry> nextRetry() {
    return core.nextRetry(seam::isFrozen, clock.now());
  }

  private Optional<PlannedRetry> dueRetry() {
    return nextRetry().filter(next -> !next.due().isAfter(clock.now()));
  }

  private Optional<Cursor<TransactionResult>> retry(EngineCore c) {
    retryQueued = false;
    retrying = dueRetry();
    Instant now = clock.now();
    return retrying.map(due -> c.planned(() -> c.beginRetry(seam::isFrozen, now)));
  }

  private void sleep() {
    Optional<Instant> until = nextRetry().map(PlannedRetry::due);
    if (queue.isEmpty() && !queue.isClosed()) {
      seam.idle(until);
      clock.park(until);
      clearInterrupt();
    }
  }

  private void process(Mail mail) {
    if (mail.look != null) {
      look(mail, mail.look);
      return;
    }
    Mail.Begin begin = mail.begin;
    if (begin == null) {
      seam.passed();
      answers.execute(() -> mail.passed.finish(Optional.empty()));
      return;
    }
    core.number(mail.number);
    Optional<Cursor<TransactionResult>> cursor;
    try {
      cursor = begin.on(core);
    } catch (RuntimeException refusal) {
      Failure why = Failure.of(name, "begin", refusal);
      finish(mail, mail.nothing(TransactionOutcome.REJECTED, why));
      return;
    }
    if (cursor.isPresent()) {
      run(mail, cursor.get());
    }
  }

  private <R> R drive(Cursor<R> cursor, long number) {
    Cursor.Next<R> next = cursor.next(new ActionOutcome.Start());
    while (next instanceof Cursor.Next.Act<R> act) {
      ActionOutcome outcome = calls.make(act.action(), cursor.results(), number);
      if (outcome instanceof ActionOutcome.Failed failed
          && failed.thrown() instanceof VirtualMachineError fatal) {
        throw fatal;
      }
      next = cursor.next(outcome);
    }
    return ((Cursor.Next.End<R>) next).result();
  }

  private void look(Mail mail, Mail.Look look) {
    try {
      ObservedValues seen = drive(core.beginObservation(look.asked()), mail.number);
      answers.execute(() -> look.seen().finish(new Mail.Seen(seen, Optional.empty())));
    } catch (RuntimeException | Error fatal) {
      answers.execute(() -> look.fail(Failure.of(name, "observe", fatal)));
      throw fatal;
    }
  }

  private void run(Mail mail, Cursor<TransactionResult> cursor) {
    ValueReader before = core.values();
    try {
      TransactionResult result = drive(cursor, mail.number);
      core.stopped(result.number(), clock.now());
      finish(mail, result);
      watchers.changed(result, before, core.values());
      answers.execute(() -> arrivals.arrived(core.prefixes()));
      if (mail.sort == Mail.Sort.OWN) {
        seam.ended(retrying, result);
        retrying = Optional.empty();
      }
    } catch (RuntimeException | Error fatal) {
      Failure why = Failure.of(name, "run", fatal);
      finish(mail, mail.nothing(TransactionOutcome.UNFINISHED, why));
      throw fatal;
    }
  }

  private void returnedLate(Action action, ActionOutcome outcome) {
    boolean taken =
        queue.own(
            Mail.own(
                c -> Optional.of(c.beginReturned(action, outcome, seam::isFrozen, clock.now())),
                guard));
    if (taken) {
      clock.wake(thread);
    }
  }

  // The end.

  private void cancelAll(String why) {
    for (Mail mail : queue.close()) {
      cancelled(mail, why);
    }
    arrivals.end(closed("registered"));
  }

  @Override
  public void close() {
    outside("closing");
    cancelAll("the engine was closed before it began");
    clock.wake(thread);
    boolean interrupted = false;
    boolean ended = false;
    while (!ended) {
      try {
        await();
        ended = true;
      } catch (InterruptedException hurry) {
        interrupted = true;
        calls.hurry();
        clock.wake(thread);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void await() throws InterruptedException {
    thread.join(Math.max(1, closeLimit.toMillis()));
    if (thread.isAlive()) {
      calls.hurry();
      clock.wake(thread);
      thread.join();
    }
    calls.stop();
    if (!calls.awaitEnd(closeLimit)) {
      LOG.warn("Engine {} is closed, and calls that do not return hold their threads", name);
    }
    answers.shutdown();
    if (!Thread.currentThread().getName().equals(name + "-answers")
        && !answers.awaitTermination(closeLimit.toNanos(), TimeUnit.NANOSECONDS)) {
      LOG.warn("Engine {} is closed, and what depends on its results still runs", name);
    }
  }
}
