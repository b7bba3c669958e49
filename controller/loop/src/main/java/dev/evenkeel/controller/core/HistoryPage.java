package dev.evenkeel.controller.core;

import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.loop.EventRecord;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Some of the history: records whose numbers follow each other. Written by the core's thread, read
 * by any: each place is written with a release, and what is there is immutable.
 *
 * <p>Most events have little to tell: they were applied, and each handler took so long. Of those
 * only the numbers are kept, in columns, and whoever reads makes the record; it is less to write,
 * and next to nothing for the collector to look after.
 */
final class HistoryPage {
  static final int SIZE = 1024;

  private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(Object[].class);

  private final long first;

  /**
   * Nothing, an {@link EventRecord}, the input of an event that has begun, or the {@link Shape} of
   * one whose numbers stand in the columns.
   */
  private final @Nullable Object[] places = new Object[SIZE];

  /** When those have begun of which there is only the input. */
  private @Nullable Object @Nullable [] starts;

  /** How big the records are; the core's thread alone. */
  private final int[] sizes = new int[SIZE];

  private final HistoryColumns columns;
  private int live;

  /** What many events have in common. */
  record Shape(String type, EventMethod method, List<String> chain, String word) {
    /** Whether it is that one; a look at the same objects, no more. */
    @SuppressWarnings("ReferenceEquality")
    boolean is(EventRun run) {
      return type == run.typeName()
          && chain == run.chain()
          && word == run.word()
          && method == run.method();
    }

    static Shape of(EventRun run) {
      return new Shape(run.typeName(), run.method(), run.chain(), run.word());
    }
  }

  /** An empty page, with columns that nobody else writes. */
  HistoryPage(long first, HistoryColumns columns) {
    this.first = first;
    this.columns = columns;
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

  /** When it ended; null while it has not. */
  @Nullable Instant end(long sequence) {
    int at = at(sequence);
    Object there = places[at];
    if (there instanceof Shape) {
      return columns.end(at);
    }
    return there instanceof EventRecord record ? record.end().orElse(null) : null;
  }

  /** An event has begun, and others do before it has ended. */
  void begin(long sequence, LoopInput.Submitted submitted, Instant start) {
    int at = at(sequence);
    if (starts == null) {
      starts = new Object[SIZE];
    }
    live += places[at] == null ? 1 : 0;
    starts[at] = start;
    PLACE.setRelease(places, at, submitted);
  }

  /** Whether its numbers will do. */
  boolean fits(EventRun run) {
    return places[at(run.sequence)] == null && columns.fits(run);
  }

  /** An event that fits has ended. */
  void put(EventRun run, Shape shape, String description, int size) {
    int at = at(run.sequence);
    columns.put(at, run, description);
    sizes[at] = size;
    live++;
    PLACE.setRelease(places, at, shape);
  }

  /** Gives the size of what was there; negative when nothing was. */
  int put(EventRecord record, int size) {
    int at = at(record.sequence());
    int before = places[at] == null ? -1 : sizes[at];
    PLACE.setRelease(places, at, record);
    forgetStart(at);
    sizes[at] = size;
    live += before < 0 ? 1 : 0;
    return before;
  }

  /** Gives the size of what went. */
  int remove(long sequence) {
    int at = at(sequence);
    int size = sizes[at];
    PLACE.setRelease(places, at, null);
    forgetStart(at);
    sizes[at] = 0;
    live--;
    return size;
  }

  /** It is empty, and nobody finds it any more: what may be used again. */
  HistoryColumns retire() {
    VarHandle.storeStoreFence(); // places are empty before the columns change
    return columns;
  }

  private void forgetStart(int at) {
    if (starts != null) {
      starts[at] = null;
    }
  }

  // Any thread.

  /** The record of that number; null when there is none. */
  @Nullable EventRecord record(long sequence) {
    int at = at(sequence);
    while (true) {
      Object there = PLACE.getAcquire(places, at);
      if (there instanceof Shape shape) {
        EventRecord record = columns.record(at, sequence, shape);
        VarHandle.loadLoadFence();
        if (PLACE.getOpaque(places, at) == shape) {
          return record;
        }
        continue; // it has gone, and its columns may serve another page
      }
      if (!(there instanceof LoopInput.Submitted submitted)) {
        return (EventRecord) there;
      }
      if (starts != null && starts[at] instanceof Instant start) {
        return running(sequence, submitted, Optional.empty(), start);
      }
      Thread.onSpinWait(); // it ends just now
    }
  }

  /** The record of an event that has not ended. */
  static EventRecord running(
      long sequence, LoopInput.Submitted submitted, Optional<Long> parent, Instant start) {
    EventRun run = new EventRun(submitted, parent, 0);
    run.begins(sequence, start);
    return run.record();
  }
}
