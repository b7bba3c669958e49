package dev.evenkeel.controller.core;

import dev.evenkeel.api.loop.EventRecord;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Some of the history: records whose numbers follow each other. Written by the core's thread, read
 * by any: each place is written with a release, and what is there is immutable.
 */
final class HistoryPage {
  static final int SIZE = 1024;

  private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(Object[].class);

  private final long first;

  /** Nothing, an {@link EventRecord}, or the input of an event that has begun. */
  private final @Nullable Object[] places = new Object[SIZE];

  /** When those have begun of which there is no record yet. */
  private final @Nullable Object[] starts = new Object[SIZE];

  /** How big the records are; the core's thread alone. */
  private final int[] sizes = new int[SIZE];

  private int live;

  HistoryPage(long first) {
    this.first = first;
  }

  long first() {
    return first;
  }

  long last() {
    return first + SIZE - 1;
  }

  boolean covers(long sequence) {
    return sequence >= first && sequence - first < SIZE;
  }

  private int at(long sequence) {
    return (int) (sequence - first);
  }

  // The core's thread.

  boolean isEmpty() {
    return live == 0;
  }

  boolean has(long sequence) {
    return places[at(sequence)] != null;
  }

  boolean hasEnded(long sequence) {
    return places[at(sequence)] instanceof EventRecord record && record.end().isPresent();
  }

  /** Whether it is new. */
  boolean begin(long sequence, LoopInput.Submitted submitted, Instant start) {
    int at = at(sequence);
    boolean isNew = places[at] == null;
    starts[at] = start;
    PLACE.setRelease(places, at, submitted);
    live += isNew ? 1 : 0;
    return isNew;
  }

  /** Gives the size of what was there; negative when nothing was. */
  int put(EventRecord record, int size) {
    int at = at(record.sequence());
    int before = places[at] == null ? -1 : sizes[at];
    PLACE.setRelease(places, at, record);
    starts[at] = null;
    sizes[at] = size;
    live += before < 0 ? 1 : 0;
    return before;
  }

  /** Gives the size of what went. */
  int remove(long sequence) {
    int at = at(sequence);
    int size = sizes[at];
    PLACE.setRelease(places, at, null);
    starts[at] = null;
    sizes[at] = 0;
    live--;
    return size;
  }

  // Any thread.

  /** The record of that number; null when there is none. */
  @Nullable EventRecord record(long sequence) {
    int at = at(sequence);
    while (true) {
      Object there = PLACE.getAcquire(places, at);
      if (!(there instanceof LoopInput.Submitted submitted)) {
        return (EventRecord) there;
      }
      if (starts[at] instanceof Instant start) {
        EventRun run = new EventRun(submitted, Optional.empty(), 0);
        run.sequence = sequence;
        run.begun = start;
        return run.record();
      }
      Thread.onSpinWait(); // it ends just now
    }
  }
}
