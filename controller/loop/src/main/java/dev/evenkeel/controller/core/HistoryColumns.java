package dev.evenkeel.controller.core;

import dev.evenkeel.api.loop.EventId;
import dev.evenkeel.api.loop.EventRecord;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The numbers of plain events, by their places on a {@link HistoryPage}. Written by the core's
 * thread; the page says what may be read, and looks once more afterwards: when it has gone, its
 * columns serve another one.
 */
final class HistoryColumns {
  private static final long NANOS = 1_000_000_000;
  private static final long MOST_SECONDS = Long.MAX_VALUE / NANOS - 10;

  private final int width;
  private final long[] ids = new long[HistoryPage.SIZE];
  private final long[] pushed = new long[HistoryPage.SIZE];

  /** From then to its beginning. */
  private final int[] waited = new int[HistoryPage.SIZE];

  /** From there to its end. */
  private final int[] ran = new int[HistoryPage.SIZE];

  /** How long each call took. */
  private final int[] took;

  private final String[] descriptions = new String[HistoryPage.SIZE];

  /**
   * Empty ones.
   *
   * @param width how many calls of handlers of an event there is room for
   */
  HistoryColumns(int width) {
    this.width = width;
    this.took = new int[HistoryPage.SIZE * width];
  }

  int width() {
    return width;
  }

  // The core's thread.

  /** Whether it has nothing to tell that does not fit. */
  boolean fits(EventRun run) {
    return run.failures.isEmpty()
        && run.parent.isEmpty()
        && run.transaction.isEmpty()
        && run.calls.arePlain(run.chain())
        && run.calls.size() <= width
        && Math.abs(run.submitted.pushed().getEpochSecond()) < MOST_SECONDS
        && fits(between(run.submitted.pushed(), run.begun()))
        && fits(between(run.begun(), run.ended()))
        && fits(run.calls);
  }

  private static boolean fits(Calls calls) {
    boolean fits = true;
    for (int i = 0; i < calls.size(); i++) {
      fits &= fits(calls.nanos(i));
    }
    return fits;
  }

  private static boolean fits(long nanos) {
    return (int) nanos == nanos;
  }

  /** Whatever is too much for an int is too much here as well. */
  private static long between(Instant from, Instant to) {
    long seconds = to.getEpochSecond() - from.getEpochSecond();
    return Math.abs(seconds) > Integer.MAX_VALUE
        ? Long.MAX_VALUE
        : seconds * NANOS + to.getNano() - from.getNano();
  }

  void put(int at, EventRun run, String description) {
    Instant start = run.submitted.pushed();
    ids[at] = run.id().number();
    pushed[at] = start.getEpochSecond() * NANOS + start.getNano();
    waited[at] = (int) between(start, run.begun());
    ran[at] = (int) between(run.begun(), run.ended());
    for (int i = 0; i < run.calls.size(); i++) {
      took[at * width + i] = (int) run.calls.nanos(i);
    }
    if (!description.equals(descriptions[at])) {
      descriptions[at] = description;
    }
  }

  // Any thread, under the page's eyes.

  Instant end(int at) {
    return instant(pushed[at] + waited[at] + ran[at]);
  }

  private static Instant instant(long number) {
    return Instant.ofEpochSecond(Math.floorDiv(number, NANOS), Math.floorMod(number, NANOS));
  }

  EventRecord record(int at, long sequence, HistoryPage.Shape shape) {
    long start = pushed[at] + waited[at];
    return new EventRecord(
        sequence,
        new EventId(ids[at]),
        Optional.empty(),
        shape.type(),
        descriptions[at],
        shape.method(),
        instant(pushed[at]),
        instant(start),
        Optional.of(instant(start + ran[at])),
        shape.chain(),
        Calls.list(shape.chain(), took, at * width, shape.chain().size()),
        Optional.empty(),
        Optional.of(shape.word()),
        List.of());
  }
}
