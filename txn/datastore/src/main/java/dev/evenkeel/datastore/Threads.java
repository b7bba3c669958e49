package dev.evenkeel.datastore;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Daemon threads with a name. */
final class Threads {
  private Threads() {}

  static ThreadFactory named(String what) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, "evenkeel-memory-" + what + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }
}
