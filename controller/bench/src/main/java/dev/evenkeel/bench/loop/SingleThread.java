package dev.evenkeel.bench.loop;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** What one would write without any of this: a single-thread executor, a future per item. */
final class SingleThread implements Contestant {
  private final Puts puts = new Puts();
  private final ExecutorService executor = Executors.newSingleThreadExecutor();

  @Override
  public Object push(Item item) {
    return executor.submit(
        () -> {
          puts.work(item);
          return Boolean.TRUE;
        });
  }

  @Override
  public void take(Object pending) {
    Futures.get(pending);
  }

  @Override
  public void close() {
    executor.shutdown();
  }
}
