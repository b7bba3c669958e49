package dev.evenkeel.txn.mailbox;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.txn.Results;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.ActionOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/**
 * Makes the calls of transactions: quick ones on the engine's thread, the others on workers, each
 * with its time limit (JT-4). The engine's thread only, but for {@link #hurry}.
 */
final class Calls {
  private final Mailbox mailbox;
  private final EngineClock clock;
  private final Duration limit;
  private final ThreadPoolExecutor workers;
  private final BiConsumer<Action, ActionOutcome> late;
  private volatile boolean hurried;

  /**
   * No call yet.
   *
   * @param limit of calls that name none
   * @param maxHung how many calls may hang before others are refused
   * @param late takes what nobody waited for any more, on the worker's thread
   */
  Calls(Mailbox mailbox, Duration limit, int maxHung, BiConsumer<Action, ActionOutcome> late) {
    this.mailbox = mailbox;
    this.clock = mailbox.clock();
    this.limit = limit;
    this.late = late;
    AtomicInteger number = new AtomicInteger();
    workers =
        new ThreadPoolExecutor(
            0,
            maxHung + 1,
            60,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> mailbox.thread(task, "-worker-" + number.incrementAndGet()));
  }

  ActionOutcome make(Action action, Results results, long transaction) {
    Duration wait = mailbox.seam().limit(action, action.limit().orElse(limit));
    Thread engine = Thread.currentThread();
    Instant until = clock.now().plus(wait);
    CallRun run =
        new CallRun(
            action,
            results,
            Long.toString(transaction),
            until,
            mailbox,
            (which, outcome) -> {
              if (outcome == null) {
                clock.wake(engine);
              } else {
                late.accept(which, outcome);
              }
            });
    if (action.inline()) {
      return run.make();
    }
    try {
      workers.execute(run);
    } catch (RejectedExecutionException full) {
      return new ActionOutcome.Failed(
          new EvenkeelException(
              ErrorKind.RESOURCE_EXHAUSTED, "too many calls have not returned; wait for them"),
          Duration.ZERO);
    }
    return await(run, wait);
  }

  private ActionOutcome await(CallRun run, Duration wait) {
    while (true) {
      ActionOutcome outcome = run.outcome();
      if (outcome != null) {
        return outcome;
      }
      boolean over = hurried || !clock.now().isBefore(run.until());
      if (over && run.giveUp()) {
        return new ActionOutcome.TimedOut(wait);
      }
      if (!over) {
        clock.park(Optional.of(run.until()));
        Mailbox.clearInterrupt();
      }
    }
  }

  /** Nobody waits for calls any more. Any thread. */
  void hurry() {
    hurried = true;
  }

  /** No more calls; those that hang are interrupted. */
  void stop() {
    workers.shutdownNow();
  }

  /** Waits until no worker is left. */
  boolean awaitEnd(Duration atMost) throws InterruptedException {
    return workers.awaitTermination(atMost.toNanos(), TimeUnit.NANOSECONDS);
  }
}
