package dev.evenkeel.testkit.volume;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Named points of a fake at which a test arms faults. A point is a verb and an act, without the
 * image: {@code apply create-image}, {@code undo create-image}, {@code probe trash-image}, {@code
 * in-use}. Any thread.
 *
 * <p>A fault strikes once; the one armed first strikes first. After a crash every call throws
 * {@link SimulatedCrash} until the fake is opened anew.
 */
public final class FaultPoints {
  /** What may happen at a point. */
  public enum Fault {
    /** An error, and nothing was done. */
    FAIL_BEFORE,
    /** An error, although it was done. */
    FAIL_AFTER,
    /** Hangs until released, then does it. */
    HANG_BEFORE,
    /** Does it, then hangs until released. */
    HANG_AFTER,
    /** The process dies before it is done. */
    CRASH_BEFORE,
    /** The process dies when it has been done. */
    CRASH_AFTER;

    boolean isBefore() {
      return this == FAIL_BEFORE || this == HANG_BEFORE || this == CRASH_BEFORE;
    }
  }

  private record Armed(Fault fault, ErrorKind kind) {}

  private final SortedMap<String, Deque<Armed>> armed = new TreeMap<>();
  private final LinkedHashSet<String> seen = new LinkedHashSet<>();
  private final List<Runnable> onCrash = new ArrayList<>();
  private int life;
  private boolean crashed;
  private int hanging;
  private int releases;

  /** No faults. */
  public FaultPoints() {}

  /** Arms a fault; errors are {@link ErrorKind#INTERNAL}. */
  public void arm(String point, Fault fault) {
    arm(point, fault, ErrorKind.INTERNAL);
  }

  /** Arms a fault whose error has that kind. */
  public synchronized void arm(String point, Fault fault, ErrorKind kind) {
    armed.computeIfAbsent(point, p -> new ArrayDeque<>()).add(new Armed(fault, kind));
  }

  /** Takes back what is armed and has not struck. */
  public synchronized void disarm() {
    armed.clear();
  }

  /** Whether some fault is armed that has not struck. */
  public synchronized boolean isArmed() {
    return !armed.isEmpty();
  }

  /** Every point that was reached so far, in the order in which it first was. */
  public synchronized List<String> seen() {
    return List.copyOf(seen);
  }

  /** Runs when a crash strikes, on the thread that it strikes: to let other fakes die with it. */
  public synchronized void onCrash(Runnable action) {
    onCrash.add(action);
  }

  /** Whether it has crashed, and was not opened anew. */
  public synchronized boolean crashed() {
    return crashed;
  }

  /** Lets everything die now, as if by {@code kill -9}. */
  public void crash() {
    List<Runnable> actions;
    synchronized (this) {
      if (crashed) {
        return;
      }
      crashed = true;
      notifyAll();
      actions = List.copyOf(onCrash);
    }
    actions.forEach(Runnable::run);
  }

  /** Lets every call go on that hangs now. */
  public synchronized void release() {
    releases++;
    notifyAll();
  }

  /** Waits until a call hangs; false when the limit passes first. */
  public synchronized boolean awaitHanging(Duration limit) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (hanging == 0) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      wait(Math.max(1, left / 1_000_000));
    }
    return true;
  }

  /** A new life begins: calls of earlier ones stay dead. */
  synchronized int open() {
    crashed = false;
    return ++life;
  }

  void before(String point, int ofLife) throws InterruptedException {
    synchronized (this) {
      checkAlive(point, ofLife);
      seen.add(point);
    }
    strike(point, ofLife, true);
  }

  void after(String point, int ofLife) throws InterruptedException {
    strike(point, ofLife, false);
  }

  private void strike(String point, int ofLife, boolean before) throws InterruptedException {
    Armed next;
    synchronized (this) {
      Deque<Armed> waiting = armed.get(point);
      if (waiting == null || waiting.getFirst().fault().isBefore() != before) {
        return;
      }
      next = waiting.removeFirst();
      if (waiting.isEmpty()) {
        armed.remove(point);
      }
    }
    switch (next.fault()) {
      case FAIL_BEFORE, FAIL_AFTER ->
          throw new EvenkeelException(next.kind(), "fault point: " + point);
      case HANG_BEFORE, HANG_AFTER -> hang(point, ofLife);
      case CRASH_BEFORE, CRASH_AFTER -> {
        crash();
        throw new SimulatedCrash(point);
      }
    }
  }

  private synchronized void hang(String point, int ofLife) throws InterruptedException {
    int before = releases;
    hanging++;
    notifyAll();
    try {
      while (releases == before && !crashed && life == ofLife) {
        wait();
      }
    } finally {
      hanging--;
    }
    checkAlive(point, ofLife);
  }

  private synchronized void checkAlive(String point, int ofLife) {
    if (crashed || ofLife != life) {
      throw new SimulatedCrash(point);
    }
  }
}
