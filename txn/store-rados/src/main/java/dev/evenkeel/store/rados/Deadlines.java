package dev.evenkeel.store.rados;

import dev.evenkeel.api.EvenkeelException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The calls under way, looked at again and again while there are any: one whose limit has passed,
 * or that was called off, is answered, whatever the cluster does. One look for all costs less than
 * an alarm for each, which would wake a thread for every call. Any thread.
 */
final class Deadlines {
  private static final long LOOK_MILLIS = 20;

  private final ScheduledThreadPoolExecutor timer;
  private final Map<Long, Waiting> calls = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicBoolean looking = new AtomicBoolean();

  private record Waiting(Limit limit, CompletableFuture<?> result) {}

  Deadlines(ScheduledThreadPoolExecutor timer) {
    this.timer = timer;
  }

  /**
   * From now on the result ends at the limit at the latest.
   *
   * @throws RejectedExecutionException when the store has been closed
   */
  void watch(Limit limit, CompletableFuture<?> result) {
    long number = numbers.incrementAndGet();
    calls.put(number, new Waiting(limit, result));
    var unused = result.whenComplete((value, failed) -> calls.remove(number));
    if (!looking.get() && looking.compareAndSet(false, true)) {
      lookLater();
    }
  }

  /** Ends all that still wait. */
  void fail(EvenkeelException why) {
    calls.values().forEach(call -> call.result().completeExceptionally(why));
  }

  private void lookLater() {
    var unused = timer.schedule(this::look, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void look() {
    for (Waiting call : calls.values()) {
      try {
        call.limit().check();
      } catch (EvenkeelException over) {
        call.result().completeExceptionally(over);
      }
    }
    if (calls.isEmpty()) {
      looking.set(false);
      if (calls.isEmpty() || !looking.compareAndSet(false, true)) {
        return;
      }
    }
    try {
      lookLater();
    } catch (RejectedExecutionException closed) {
      looking.set(false); // whoever closes ends them
    }
  }
}
