package dev.evenkeel.controller.internal;

import dev.evenkeel.api.loop.EventId;
import dev.evenkeel.api.loop.LoopThreadBlockedException;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.controller.core.Durations;
import dev.evenkeel.controller.core.Reply;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * What the producer of an event and the core share: a permit, and a future for the outcome.
 *
 * @param <R> type of the answer
 */
public final class Ticket<R> implements Submission<R>, Reply {
  private final EventId id;
  private final GuardedFuture.Root<Outcome<R>> future;
  private final GuardedFuture.Guard guard;
  private final Runnable release;
  private final Consumer<Runnable> answers;

  /**
   * A ticket.
   *
   * @param release gives the permit back
   * @param answers runs what completes the future
   */
  public Ticket(
      EventId id, GuardedFuture.Guard guard, Runnable release, Consumer<Runnable> answers) {
    this.id = id;
    this.guard = guard;
    this.future = new GuardedFuture.Root<>(guard);
    this.release = release;
    this.answers = answers;
  }

  @Override
  public EventId id() {
    return id;
  }

  @Override
  public CompletionStage<Outcome<R>> outcome() {
    return future;
  }

  @Override
  public Outcome<R> await(Duration limit) throws TimeoutException, InterruptedException {
    guard.helpUntil(future::isDone);
    if (!future.isDone() && guard.isLoopThread()) {
      throw new LoopThreadBlockedException("the outcome of event " + id);
    }
    try {
      return future.get(Durations.bounded(limit).toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      throw (TimeoutException)
          new TimeoutException("event " + id + " has no outcome yet after " + limit)
              .initCause(late);
    } catch (ExecutionException impossible) {
      throw new IllegalStateException("an outcome never completes exceptionally", impossible);
    }
  }

  @Override
  public void taken() {
    release.run();
  }

  @Override
  @SuppressWarnings("unchecked") // the core checked the answer against the request's answer type
  public void answer(Outcome<?> outcome) {
    answers.accept(() -> future.finish((Outcome<R>) outcome));
  }
}
