package dev.evenkeel.controller.internal;

import dev.evenkeel.controller.core.LoopConfig;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that call the outside: named, daemon, made when needed, gone after a minute without
 * work. The core bounds what is under way; the bound here is the same, with room for calls of
 * serial events that hang.
 */
final class Workers {
  private static final int HUNG_SERIAL_CALLS = 16;

  private final ThreadPoolExecutor pool;

  Workers(String name, LoopConfig config) {
    AtomicInteger number = new AtomicInteger();
    pool =
        new ThreadPoolExecutor(
            0,
            2 * config.workers() + 1 + HUNG_SERIAL_CALLS,
            60,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> {
              Thread thread = new Thread(task, name + "-worker-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Throws {@code RejectedExecutionException} when too many calls hang. */
  void execute(Runnable task) {
    pool.execute(task);
  }

  /** No more work; what runs goes on. */
  void stop() {
    pool.shutdown();
  }
}
