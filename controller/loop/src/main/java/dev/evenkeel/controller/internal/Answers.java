package dev.evenkeel.controller.internal;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread on which outcomes complete, and so what depends on them runs: never the loop's. Its
 * queue is bounded by what the loop has accepted. It sleeps when there is nothing, and is woken
 * only then.
 */
final class Answers implements Executor {
  private static final Logger LOG = LoggerFactory.getLogger(Answers.class);

  private final Queue<Runnable> queue = new ConcurrentLinkedQueue<>();
  private final CountDownLatch gone = new CountDownLatch(1);
  private final Thread thread;
  private volatile boolean asleep;
  private volatile boolean stopping;

  Answers(String name) {
    thread = new Thread(this::work, name);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Runs it here, in order; after the end, where it is called. */
  @Override
  public void execute(Runnable answer) {
    if (gone.getCount() == 0) {
      run(answer);
      return;
    }
    queue.add(answer);
    if (gone.getCount() == 0) {
      runAll();
    } else {
      wake();
    }
  }

  private void wake() {
    if (asleep) {
      LockSupport.unpark(thread);
    }
  }

  boolean isThisThread() {
    return Thread.currentThread() == thread;
  }

  /** Ends when everything queued has run. */
  void stop() {
    stopping = true;
    LockSupport.unpark(thread);
  }

  /** Waits for the end, unless called from here. */
  void awaitEnd(Duration limit) throws InterruptedException {
    if (!isThisThread() && !gone.await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
      LOG.warn("{} is still busy with what depends on outcomes", thread.getName());
    }
  }

  private void work() {
    while (true) {
      Runnable answer = queue.poll();
      if (answer != null) {
        run(answer);
      } else if (stopping) {
        break;
      } else {
        sleep();
      }
    }
    gone.countDown();
    runAll();
  }

  private void runAll() {
    Runnable answer = queue.poll();
    while (answer != null) {
      run(answer);
      answer = queue.poll();
    }
  }

  private void sleep() {
    asleep = true;
    if (queue.isEmpty() && !stopping) {
      LockSupport.park(this);
    }
    asleep = false;
    if (Thread.interrupted()) {
      LOG.debug("{} was interrupted, and goes on", thread.getName());
    }
  }

  private static void run(Runnable answer) {
    try {
      answer.run();
    } catch (RuntimeException | Error thrown) {
      LOG.warn("What depends on an outcome failed", thrown);
    }
  }
}
