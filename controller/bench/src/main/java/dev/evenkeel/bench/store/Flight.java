package dev.evenkeel.bench.store;

import dev.evenkeel.bench.Turns;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Asynchronous calls, so many of which are under way at a time. */
final class Flight {
  private Flight() {}

  /** That many calls, numbered from 0. */
  static Turns.Timed of(int calls, int most, IntFunction<CompletionStage<?>> call) {
    return Turns.of(
        () -> {
          Semaphore room = new Semaphore(most);
          AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
          for (int i = 0; i < calls; i++) {
            room.acquireUninterruptibly();
            var unused =
                call.apply(i)
                    .whenComplete(
                        (result, failure) -> {
                          if (failure != null) {
                            failed.set(failure);
                          }
                          room.release();
                        });
          }
          room.acquireUninterruptibly(most);
          Throwable failure = failed.get();
          if (failure != null) {
            throw new IllegalStateException(failure);
          }
        });
  }
}
