package dev.evenkeel.controller.core;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BiConsumer;

/**
 * What puts back what the handlers of one event have done, in reverse order: changes of state maps,
 * and what handlers registered. Core's thread only.
 */
final class UndoLog {
  private final Deque<Entry> entries = new ArrayDeque<>();

  private record Entry(String handler, Runnable undo) {}

  void add(String handler, Runnable undo) {
    entries.push(new Entry(handler, undo));
  }

  /**
   * Undoes everything, last first, and forgets it. One that fails is told to the given function,
   * and the others go on: they commute (JT-8).
   */
  void run(BiConsumer<String, Throwable> failed) {
    while (!entries.isEmpty()) {
      Entry entry = entries.pop();
      try {
        entry.undo().run();
      } catch (Throwable thrown) {
        failed.accept(entry.handler(), thrown);
      }
    }
  }

  void forget() {
    if (!entries.isEmpty()) {
      entries.clear();
    }
  }
}
