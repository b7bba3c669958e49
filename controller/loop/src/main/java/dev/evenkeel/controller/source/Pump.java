package dev.evenkeel.controller.source;

import dev.evenkeel.controller.core.LoopClock;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that works when it is woken, and when something is due by the clock. The work does all
 * that is there to do, and says when it wants to be called next; it is called once more when it is
 * closed.
 */
final class Pump implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Pump.class);

  private final LoopClock clock;
  private final Supplier<Optional<Instant>> work;
  private final Thread thread;
  private volatile boolean closed;

  Pump(String name, LoopClock clock, Supplier<Optional<Instant>> work) {
    this.clock = clock;
    this.work = work;
    this.thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  void wake() {
    clock.wake(thread);
  }

  private void run() {
    boolean last;
    do {
      last = closed;
      Optional<Instant> next = worked();
      if (Thread.interrupted()) {
        LOG.warn("somebody has interrupted {}; it goes on", thread.getName());
      }
      if (!closed) {
        clock.park(next);
      }
    } while (!last);
  }

  private Optional<Instant> worked() {
    try {
      return work.get();
    } catch (RuntimeException | Error thrown) {
      LOG.error("{} has failed, and goes on", thread.getName(), thrown);
      return Optional.of(clock.now().plusSeconds(1));
    }
  }

  /** Ends the thread, and waits for that unless it is the caller. Idempotent. */
  @Override
  public void close() {
    closed = true;
    wake();
    boolean interrupted = false;
    while (Thread.currentThread() != thread && thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
