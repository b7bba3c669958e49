package dev.evenkeel.datastore;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The timer on the system's clock: one thread, begun by the first value that expires. */
final class OwnTimer implements MemoryDatastore.Timer {
  private final ScheduledThreadPoolExecutor executor =
      new ScheduledThreadPoolExecutor(1, Threads.named("timer"));

  @Override
  public void after(Duration delay, Runnable task) {
    // A little late rather than early: the clock that is asked then may be another one.
    var unused = executor.schedule(task, delay.toMillis() + 2, TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
