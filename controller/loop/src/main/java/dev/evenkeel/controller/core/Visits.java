package dev.evenkeel.controller.core;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The visits of operations to workers: bounded by their number; those beyond wait here (JT-9). One
 * that hangs past its limit no longer counts, up to as many again. Core's thread only.
 */
final class Visits {
  private final Deque<Visit> waiting = new ArrayDeque<>();
  private final int most;
  private int begun;
  private int hung;

  /** Whose visit it is. */
  interface Visitor {
    /** Whether it still is between its first and its last turn. */
    boolean isThere();

    /** Whether what it waits for may begin. */
    boolean goesOn();

    /** Whether its visit hangs and counts no more. */
    boolean isHung();

    /** Sets it. */
    void isHung(boolean hangs);
  }

  /** One that waits, and what to do when it must not begin any more. */
  private record Visit(Visitor visitor, Runnable start, Runnable dropped) {}

  Visits(int workers) {
    this.most = workers;
  }

  /**
   * Begins a visit, now or when a worker is free.
   *
   * @param dropped called instead when the visitor does not go on by then
   */
  void visit(Visitor visitor, Runnable start, Runnable dropped) {
    if (begun < most) {
      begun++;
      start.run();
    } else {
      waiting.add(new Visit(visitor, start, dropped));
    }
  }

  /** A visit has ended. */
  void left(Visitor visitor) {
    if (visitor.isHung()) {
      visitor.isHung(false);
      hung--;
    } else {
      begun--;
    }
    next();
  }

  /** A worker hangs: another one may take its place. */
  void overdue(Visitor visitor) {
    if (!visitor.isHung() && hung < most) {
      visitor.isHung(true);
      hung++;
      begun--;
      next();
    }
  }

  private void next() {
    while (begun < most && !waiting.isEmpty()) {
      Visit next = waiting.remove();
      if (next.visitor().isThere() && next.visitor().goesOn()) {
        begun++;
        next.start().run();
      } else if (next.visitor().isThere()) {
        next.dropped().run();
      }
    }
  }
}
