package dev.evenkeel.bench.loop;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waiting for a plain future. */
final class Futures {
  static final long LIMIT_SECONDS = 30;

  private Futures() {}

  static Object get(Object pending) {
    try {
      return ((Future<?>) pending).get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException | InterruptedException failed) {
      throw new IllegalStateException("an item was not done", failed);
    }
  }
}
