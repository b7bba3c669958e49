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

  final Guard guard() {
    return guard;
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
}
