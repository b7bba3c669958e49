package dev.evenkeel.controller.internal;

import dev.evenkeel.api.loop.LoopThreadBlockedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * A future that refuses to be waited for on the loop thread, as do all stages derived from it.
 *
 * @param <T> type of the value
 */
public class GuardedFuture<T> extends CompletableFuture<T> {
  private final Guard guard;

  /** Knows the loop thread, and where dependents run. */
  public interface Guard {
    /** Whether the calling thread is the loop's. */
    boolean isLoopThread();

    /** Before a wait: does what can be done on this thread to bring it about; usually nothing. */
    default void helpUntil(BooleanSupplier done) {}

    /** What runs asynchronous dependents that name no executor. */
    Executor executor();
  }

  GuardedFuture(Guard guard) {
    this.guard = guard;
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new GuardedFuture<>(guard);
  }

  @Override
  public Executor defaultExecutor() {
    return guard.executor();
  }

  private void check() {
    if (!isDone() && guard.isLoopThread()) {
      throw new LoopThreadBlockedException("an outcome");
    }
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    check();
    return super.get();
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    check();
    return super.get(timeout, unit);
  }

  @Override
  public T join() {
    check();
    return super.join();
  }

  /**
   * The future of an outcome: only Evenkeel completes it.
   *
   * @param <T> type of the value
   */
  static final class Root<T> extends GuardedFuture<T> {
    Root(Guard guard) {
      super(guard);
    }

    boolean finish(T value) {
      return super.complete(value);
    }

    @Override
    public boolean complete(T value) {
      return false;
    }

    @Override
    public boolean completeExceptionally(Throwable thrown) {
      return false;
    }

    @Override
    public boolean cancel(boolean interrupt) {
      return false;
    }

    @Override
    public void obtrudeValue(T value) {
      throw new UnsupportedOperationException("an outcome is final");
    }

    @Override
    public void obtrudeException(Throwable thrown) {
      throw new UnsupportedOperationException("an outcome is final");
    }

    /** A future of its own for each caller, who may cancel it or give it a time limit. */
    @Override
    public CompletableFuture<T> toCompletableFuture() {
      return thenApply(value -> value);
    }
  }
}
