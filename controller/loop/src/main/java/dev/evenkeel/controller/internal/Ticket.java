package dev.evenkeel.controller.internal;

import dev.evenkeel.api.loop.EventId;
import dev.evenkeel.api.loop.LoopThreadBlockedException;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.controller.core.Durations;
import dev.evenkeel.controller.core.Reply;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * What the producer of an event and the core share: a permit, and the future of the outcome, which
 * only Evenkeel completes. All in one object, since there is one for each event.
 *
 * <p>What depends on an outcome runs on the answers' thread. As long as nothing does, the loop's
 * thread completes the future itself, which then only wakes whoever waits. Every dependent stage
 * passes {@link #newIncompleteFuture} before it is registered; the phase decides who was first.
 *
 * @param <R> type of the answer
 */
public final class Ticket<R> extends GuardedFuture<Outcome<R>> implements Submission<R>, Reply {
  private static final int OPEN = 0;
  private static final int DEPENDED_ON = 1;
  private static final int DONE = 2;
  private static final VarHandle PHASE;

  static {
    try {
      PHASE = MethodHandles.lookup().findVarHandle(Ticket.class, "phase", int.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private final EventId id;

  @SuppressWarnings("unused") // through the handle
  private volatile int phase;

  /** A loop, as its tickets see it. */
  public interface Desk extends Guard {
    /** A permit is free again; on the core's thread. */
    void taken();

    /** Runs what depends on an outcome, soon, and not in the middle of a turn. */
    void later(Runnable completion);
  }

  /** A ticket. */
  public Ticket(EventId id, Desk desk) {
    super(desk);
    this.id = id;
  }

  private Desk desk() {
    return (Desk) guard();
  }

  @Override
  public EventId id() {
    return id;
  }

  @Override
  public CompletionStage<Outcome<R>> outcome() {
    return this;
  }

  @Override
  public Outcome<R> await(Duration limit) throws TimeoutException, InterruptedException {
    Outcome<R> known = getNow(null);
    if (known != null) {
      return known;
    }
    guard().helpUntil(this::isDone);
    if (!isDone() && guard().isLoopThread()) {
      throw new LoopThreadBlockedException("the outcome of event " + id);
    }
    try {
      return get(Durations.bounded(limit).toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      throw (TimeoutException)
          new TimeoutException("event " + id + " has no outcome yet after " + limit)
              .initCause(late);
    } catch (ExecutionException impossible) {
      throw new IllegalStateException("an outcome never completes exceptionally", impossible);
    }
  }

  // For the core.

  @Override
  public void taken() {
    desk().taken();
  }

  @Override
  @SuppressWarnings("unchecked") // the core checked the answer against the request's answer type
  public void answer(Outcome<?> outcome) {
    if (PHASE.compareAndSet(this, OPEN, DONE)) {
      finish((Outcome<R>) outcome);
    } else {
      desk().later(() -> finish((Outcome<R>) outcome));
    }
  }

  private void finish(Outcome<R> outcome) {
    super.complete(outcome);
  }

  // For those who have the outcome's stage.

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    isDependedOn();
    return super.newIncompleteFuture();
  }

  @Override
  public CompletionStage<Outcome<R>> minimalCompletionStage() {
    isDependedOn();
    return super.minimalCompletionStage();
  }

  private void isDependedOn() {
    if (!PHASE.compareAndSet(this, OPEN, DEPENDED_ON)) {
      while (phase == DONE && !isDone()) {
        Thread.onSpinWait(); // the loop's thread is between two lines of answer()
      }
    }
  }

  /** A future of its own for each caller, who may cancel it or give it a time limit. */
  @Override
  public CompletableFuture<Outcome<R>> toCompletableFuture() {
    return thenApply(value -> value);
  }

  @Override
  public boolean complete(Outcome<R> value) {
    return false;
  }

  @Override
  public boolean completeExceptionally(Throwable thrown) {
    return false;
  }

  @Override
  public CompletableFuture<Outcome<R>> completeAsync(
      Supplier<? extends Outcome<R>> supplier, Executor executor) {
    return this;
  }

  @Override
  public boolean cancel(boolean interrupt) {
    return false;
  }

  @Override
  public void obtrudeValue(Outcome<R> value) {
    throw new UnsupportedOperationException("an outcome is final");
  }

  @Override
  public void obtrudeException(Throwable thrown) {
    throw new UnsupportedOperationException("an outcome is final");
  }
}
