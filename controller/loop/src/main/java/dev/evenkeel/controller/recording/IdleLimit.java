package dev.evenkeel.controller.recording;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongConsumer;

/** Gives up on something that makes no progress: counted from one turn to the next, not in all. */
final class IdleLimit {
  private static final int FRAMES = 12;

  private IdleLimit() {}

  static <R> R watch(Duration limit, Function<LongConsumer, R> work) {
    AtomicLong turn = new AtomicLong();
    CompletableFuture<R> result = new CompletableFuture<>();
    Thread worker =
        new Thread(
            () -> {
              try {
                result.complete(work.apply(turn::set));
              } catch (RuntimeException | Error thrown) {
                result.completeExceptionally(thrown);
              }
            },
            "replay");
    worker.setDaemon(true);
    worker.start();
    while (true) {
      long before = turn.get();
      try {
        return result.get(limit.toNanos(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException none) {
        if (turn.get() == before && !result.isDone()) {
          String at = stack(worker);
          worker.interrupt();
          throw new EvenkeelException(
              ErrorKind.DEADLINE_EXCEEDED, "turn " + before + " did not end within " + limit + at);
        }
      } catch (InterruptedException interrupted) {
        worker.interrupt();
        Thread.currentThread().interrupt();
        throw new EvenkeelException(ErrorKind.CANCELLED, "the replay was interrupted");
      } catch (ExecutionException failed) {
        if (failed.getCause() instanceof Error error) {
          throw error;
        }
        throw failed.getCause() instanceof RuntimeException known
            ? known
            : new IllegalStateException(failed.getCause());
      }
    }
  }

  private static String stack(Thread worker) {
    StringBuilder text = new StringBuilder();
    Arrays.stream(worker.getStackTrace())
        .limit(FRAMES)
        .forEach(frame -> text.append("\n    at ").append(frame));
    return text.toString();
  }
}
