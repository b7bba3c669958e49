package dev.evenkeel.store.rados;

/** Who is inside the library, so that it is not freed under them. Any thread. */
final class Users {
  private int inside;
  private boolean closed;

  /** False after the close; else followed by {@link #leave}. */
  synchronized boolean enter() {
    if (!closed) {
      inside++;
    }
    return !closed;
  }

  synchronized void leave() {
    inside--;
    notifyAll();
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** True the first time. */
  synchronized boolean close() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  /** Waits until nobody is inside; false when the time has passed, or on an interrupt. */
  synchronized boolean awaitNone(long nanos) {
    long end = System.nanoTime() + nanos;
    while (inside > 0) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return false;
      }
      try {
        wait(left);
      } catch (InterruptedException hurry) {
        Thread.currentThread().interrupt();
        return inside == 0;
      }
    }
    return true;
  }
}
