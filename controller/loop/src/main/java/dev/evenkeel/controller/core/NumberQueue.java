package dev.evenkeel.controller.core;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Numbers, first in, first out. Those that follow each other, as nearly all do, take no more room
 * than one. One thread.
 */
final class NumberQueue {
  private final Deque<Run> runs = new ArrayDeque<>();

  /** Numbers that follow each other. */
  private static final class Run {
    long next;
    long last;

    Run(long only) {
      next = only;
      last = only;
    }
  }

  boolean isEmpty() {
    return runs.isEmpty();
  }

  void add(long number) {
    Run run = runs.peekLast();
    if (run != null && run.last + 1 == number) {
      run.last = number;
    } else {
      runs.add(new Run(number));
    }
  }

  /** The first; there must be one. */
  long peek() {
    return runs.element().next;
  }

  /** Takes the first; there must be one. */
  long remove() {
    Run run = runs.element();
    long first = run.next++;
    if (first == run.last) {
      runs.remove();
    }
    return first;
  }
}
