package dev.evenkeel.store.etcd;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs tasks one after another, in order, on threads of a pool; uses one only while it runs. */
final class Serial {
  private static final Logger LOG = LoggerFactory.getLogger(Serial.class);

  private final Executor pool;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();

  Serial(Executor pool) {
    this.pool = pool;
  }

  void execute(Runnable task) {
    tasks.add(task);
    if (waiting.getAndIncrement() == 0) {
      try {
        pool.execute(this::run);
      } catch (RejectedExecutionException over) {
        LOG.debug("a task came after its client was closed", over);
      }
    }
  }

  private void run() {
    do {
      Runnable task = tasks.poll();
      if (task != null) {
        try {
          task.run();
        } catch (RuntimeException | Error odd) {
          LOG.error("a task of an etcd client has failed", odd);
        }
      }
    } while (waiting.decrementAndGet() > 0);
  }
}
