package dev.evenkeel.txn.mailbox;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Secret;
import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.txn.Results;
import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.ActionOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One call of a descriptor or a step, on the engine's thread or on a worker. Either its outcome is
 * taken by whoever waits for it, or nobody waits any more and it is handed in late (JT-4).
 */
final class CallRun implements Runnable, StepContext {
  private static final Object RUNNING = new Object();
  private static final Object GIVEN_UP = new Object();

  private final Action action;
  private final Results results;
  private final EngineClock clock;
  private final Instant deadline;
  private final String transaction;
  private final Mailbox mailbox;
  private final BiConsumer<Action, ActionOutcome> done;
  private final AtomicReference<Object> state = new AtomicReference<>(RUNNING);
  private volatile @Nullable Thread thread;

  /**
   * A call that has not begun.
   *
   * @param done is told when it has returned, on its thread; with whatever nobody waited for any
   *     more as the second argument, else with null
   */
  CallRun(
      Action action,
      Results results,
      String transaction,
      Instant deadline,
      Mailbox mailbox,
      BiConsumer<Action, @Nullable ActionOutcome> done) {
    this.action = action;
    this.results = results;
    this.transaction = transaction;
    this.deadline = deadline;
    this.mailbox = mailbox;
    this.clock = mailbox.clock();
    this.done = done;
  }

  @Override
  public void run() {
    ActionOutcome outcome = make();
    boolean taken = state.compareAndSet(RUNNING, outcome);
    done.accept(action, taken ? null : outcome);
  }

  /** Makes the call here. */
  ActionOutcome make() {
    thread = Thread.currentThread();
    Mailbox outer = Mailbox.enter(mailbox);
    Instant from = clock.now();
    try {
      Object value = Objects.requireNonNull(mailbox.seam().call(action, this), "null was returned");
      return new ActionOutcome.Done(value, Duration.between(from, clock.now()));
    } catch (Throwable thrown) { // also a fatal error: the engine's thread ends with it
      return new ActionOutcome.Failed(thrown, Duration.between(from, clock.now()));
    } finally {
      Mailbox.leave(outer);
      thread = null;
    }
  }

  /** What came of it; null while it runs. */
  @Nullable ActionOutcome outcome() {
    return state.get() instanceof ActionOutcome outcome ? outcome : null;
  }

  /** Nobody waits any more; false when it has just returned. */
  boolean giveUp() {
    return state.compareAndSet(RUNNING, GIVEN_UP);
  }

  Instant until() {
    return deadline;
  }

  @Override
  public void checkReadable() {
    if (thread != Thread.currentThread()) {
      throw new IllegalStateException("the context belongs to a call that is over, or elsewhere");
    }
  }

  @Override
  public <T> T get(Ref<T> ref) {
    checkReadable();
    return results.get(ref);
  }

  @Override
  public Secret secret(String name) {
    throw new EvenkeelException(
        ErrorKind.INVALID, "a transaction of an engine on its own has no secret named " + name);
  }

  @Override
  public Instant deadline() {
    return deadline;
  }

  @Override
  public boolean cancelled() {
    return state.get() == GIVEN_UP;
  }

  @Override
  public Epoch epoch() {
    return Epoch.NONE;
  }

  @Override
  public String transaction() {
    return transaction;
  }
}
