package dev.evenkeel.app.run;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Ends a run in good order when the process is told to end: no further event is begun, and what
 * runs may end within a limit. When the run only waits for input, everything is closed from here. A
 * process that is killed needs none of it: the next run goes on from what it finds.
 */
final class Signals implements AutoCloseable {
  private static final int GLANCES = 300;
  private static final int GLANCE_MILLIS = 50;

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook = new Thread(this::told, "evenkeel-shutdown");
  private volatile boolean calledOff;
  private volatile BooleanSupplier waitsForInput = () -> true;
  private volatile Runnable close = () -> {};

  private Signals() {}

  /** From now on. */
  static Signals heed() {
    Signals signals = new Signals();
    Runtime.getRuntime().addShutdownHook(signals.hook);
    return signals;
  }

  /** There is something to close: by an act that may be called twice, from two threads. */
  void protect(Runnable newClose, BooleanSupplier newWaitsForInput) {
    close = newClose;
    waitsForInput = newWaitsForInput;
  }

  /** Whether the process has been told to end. */
  boolean calledOff() {
    return calledOff;
  }

  private void told() {
    calledOff = true;
    try {
      for (int i = 0; i < GLANCES; i++) {
        if (ended.await(GLANCE_MILLIS, TimeUnit.MILLISECONDS)) {
          return;
        }
        if (waitsForInput.getAsBoolean()) {
          break;
        }
      }
    } catch (InterruptedException nobodyDoesThat) {
      Thread.currentThread().interrupt();
    }
    close.run();
  }

  /** The run has ended, and all is closed. */
  @Override
  public void close() {
    ended.countDown();
    if (!calledOff) {
      try {
        boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException endingJustNow) {
        // The hook runs, and sees that all has ended.
        return;
      }
    }
  }
}
