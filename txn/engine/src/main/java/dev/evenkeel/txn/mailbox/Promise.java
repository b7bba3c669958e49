package dev.evenkeel.txn.mailbox;

import dev.evenkeel.api.txn.ReentrantCallException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A future that only the engine completes, and that refuses to be waited for where the wait could
 * never end: in the engine's callbacks.
 *
 * @param <T> type of the value
 */
final class Promise<T> extends CompletableFuture<T> {
  private final Guard guard;

  /** Knows where waiting is wrong, and where dependents run. */
  interface Guard {
    /** Whether the calling thread runs a callback of the engine, or the engine itself. */
    boolean isInside();

    /** What runs asynchronous dependents that name no executor. */
    Executor executor();
  }

  Promise(Guard guard) {
    this.guard = guard;
  }

  boolean finish(T value) {
    return super.complete(value);
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new Derived<>(guard);
  }

  @Override
  public Executor defaultExecutor() {
    return guard.executor();
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
    throw new UnsupportedOperationException("a result is final");
  }

  @Override
  public void obtrudeException(Throwable thrown) {
    throw new UnsupportedOperationException("a result is final");
  }

  /** A future of its own for each caller, who may cancel it or give it a time limit. */
  @Override
  public CompletableFuture<T> toCompletableFuture() {
    return thenApply(value -> value);
  }

  /** One that depends on another, and is its user's. */
  private static final class Derived<U> extends CompletableFuture<U> {
    private final Guard guard;

    Derived(Guard guard) {
      this.guard = guard;
    }

    @Override
    public <V> CompletableFuture<V> newIncompleteFuture() {
      return new Derived<>(guard);
    }

    @Override
    public Executor defaultExecutor() {
      return guard.executor();
    }

    private void check() {
      if (!isDone() && guard.isInside()) {
        throw new ReentrantCallException("waiting for a result");
      }
    }

    @Override
    public U get() throws InterruptedException, ExecutionException {
      check();
      return super.get();
    }

    @Override
    public U get(long timeout, TimeUnit unit)
        throws InterruptedException, ExecutionException, TimeoutException {
      check();
      return super.get(timeout, unit);
    }

    @Override
    public U join() {
      check();
      return super.join();
    }
  }
}
