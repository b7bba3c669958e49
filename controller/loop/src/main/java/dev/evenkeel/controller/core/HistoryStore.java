package dev.evenkeel.controller.core;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.HandlerRecord;
import dev.evenkeel.api.loop.History;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The history: immutable records by sequence number. Written by the core's thread; readers need no
 * lock. Bounded by count and bytes, and by age once the permanent period is over; what still runs
 * stays.
 *
 * <p>Numbers are given one after another, so the records stand in pages of an array each, and only
 * the pages in a sorted map: what an event costs here does not depend on how many records there
 * are. Most events begin and end in one turn: the one that has begun last stands beside the pages
 * until then, and costs two stores; whoever reads meanwhile makes its record.
 */
final class HistoryStore implements History {
  private static final int SHAPES = 16;

  /** What one takes in the columns, with its description and its place in the queue. */
  private static final int PLAIN_BYTES = 100;

  private static final int MOST_WIDTH = 64;
  private static final VarHandle RUNNING;

  static {
    try {
      RUNNING =
          MethodHandles.lookup().findVarHandle(HistoryStore.class, "runningNumber", long.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private final ConcurrentNavigableMap<Long, HistoryPage> pages = new ConcurrentSkipListMap<>();
  private final LoopConfig config;
  private final Limits limits;
  private final Count count = new Count();
  private final Count bytes = new Count();
  private Instant permanentUntil = Instant.MAX;
  private @Nullable HistoryPage current;
  private @Nullable HistoryPage leaving;

  /** Of a page that went: new ones would have to be fetched from afar. */
  private @Nullable HistoryColumns spare;

  /** Those that have ended and do not age, in the order in which they ended. */
  private final NumberQueue permanent = new NumberQueue();

  /** Those that have ended and age, in the order in which they ended: so by age. */
  private final NumberQueue aging = new NumberQueue();

  private final HistoryPage.@Nullable Shape[] shapes = new HistoryPage.Shape[SHAPES];
  private int nextShape;

  /** How many calls of handlers an event has at most, as far as is known. */
  private int width = 4;

  /** The event that has begun last, or was; its object is used again and again. */
  private @Nullable EventRun running;

  /** Its number until it ends, or another one begins; then negative. */
  @SuppressWarnings("unused") // through the handle
  private long runningNumber = -1;

  HistoryStore(LoopConfig config, Limits limits) {
    this.config = config;
    this.limits = limits;
  }

  /** How many records there are; any thread. */
  long records() {
    return count.get();
  }

  /** About how much memory they take; any thread. */
  long bytes() {
    return bytes.get();
  }

  /** Whether it keeps records of what has ended. */
  boolean keeps() {
    return config.historyRecords() > 0;
  }

  void started(Instant now) {
    permanentUntil = now.plus(config.historyPermanent());
  }

  // Writing: the core's thread.

  /** An event has begun. */
  void began(EventRun run) {
    if (runningNumber >= 0 && running != null) {
      movesOn(running);
    }
    if (running != run) {
      running = run;
    }
    RUNNING.setRelease(this, run.sequence);
    count.add(1);
    trimIfFull();
  }

  /** Another one begins before it has ended: it goes to its page. */
  private void movesOn(EventRun run) {
    if (run.parent.isPresent()) {
      page(run.sequence).put(run.record(), 0);
    } else {
      page(run.sequence).begin(run.sequence, run.submitted, run.begun());
    }
    runsNoMore();
  }

  /** From here on its object may change: whoever reads it looks at the number again afterwards. */
  private void runsNoMore() {
    RUNNING.setOpaque(this, -1L);
    VarHandle.storeStoreFence();
  }

  /**
   * An event has been answered, or has ended after that.
   *
   * @param made its record, if there is one already
   */
  void ended(EventRun run, @Nullable EventRecord made) {
    boolean ranLast = runningNumber == run.sequence;
    if (!keeps()) {
      if (ranLast) {
        runsNoMore();
        count.add(-1);
      } else {
        gone(run.sequence);
      }
      return;
    }
    count.add(ranLast ? -1 : 0); // it is counted once more where it goes
    HistoryPage page = page(run.sequence);
    if (page.fits(run)) {
      String description = run.description();
      int size = PLAIN_BYTES + Long.BYTES * run.calls.size() + 2 * description.length();
      page.put(run, shape(run), description, size);
      bytes.add(size);
      count.add(1);
      leavesIn(run.begun()).add(run.sequence);
    } else {
      width = Math.max(width, Math.min(run.calls.size(), MOST_WIDTH));
      put(made == null ? run.record() : made);
    }
    if (ranLast) {
      runsNoMore();
    }
    trimIfFull();
  }

  private NumberQueue leavesIn(Instant start) {
    return start.isBefore(permanentUntil) ? permanent : aging;
  }

  private HistoryPage.Shape shape(EventRun run) {
    for (int i = 0; i < SHAPES; i++) {
      HistoryPage.Shape known = shapes[i];
      if (known == null || known.is(run)) {
        return known == null ? newShape(run) : known;
      }
    }
    return newShape(run);
  }

  private HistoryPage.Shape newShape(EventRun run) {
    HistoryPage.Shape shape = HistoryPage.Shape.of(run);
    shapes[nextShape++ % SHAPES] = shape;
    return shape;
  }

  /** Adds a record, or replaces the one of the same number. */
  void put(EventRecord record) {
    if (record.end().isPresent() && !keeps()) {
      gone(record.sequence());
      return;
    }
    int size = sizeOf(record);
    HistoryPage page = page(record.sequence());
    boolean ends = record.end().isPresent() && page.end(record.sequence()) == null;
    int before = page.put(record, size);
    bytes.add(size - Math.max(0, before));
    count.add(before < 0 ? 1 : 0);
    if (ends) {
      leavesIn(record.start()).add(record.sequence());
    }
    trimIfFull();
  }

  private void trimIfFull() {
    if (isFull() && keeps()) {
      trimToSize();
    }
  }

  /** What has ended is not kept, or no longer. */
  void gone(long sequence) {
    HistoryPage page = known(sequence);
    if (page != null && page.has(sequence)) {
      bytes.add(-page.remove(sequence));
      count.add(-1);
      if (page != current) {
        dropIfEmpty(page);
      }
    }
  }

  private void dropIfEmpty(HistoryPage page) {
    if (page.isEmpty()) {
      pages.remove(page.first() / HistoryPage.SIZE);
      spare = page.retire();
      leaving = leaving == page ? null : leaving;
    }
  }

  /** The page, looked up only when neither the newest nor the one of the last removal is it. */
  private @Nullable HistoryPage known(long sequence) {
    HistoryPage page = current;
    if (page != null && page.covers(sequence)) {
      return page;
    }
    page = leaving;
    if (page == null || !page.covers(sequence)) {
      page = pages.get(sequence / HistoryPage.SIZE);
      leaving = page;
    }
    return page;
  }

  private HistoryPage page(long sequence) {
    HistoryPage page = current;
    if (page == null || !page.covers(sequence)) {
      if (page != null) {
        dropIfEmpty(page);
      }
      page = pages.computeIfAbsent(sequence / HistoryPage.SIZE, n -> newPage(firstOf(n)));
      current = page;
    }
    return page;
  }

  private HistoryPage newPage(long first) {
    HistoryColumns columns = spare;
    spare = null;
    return new HistoryPage(
        first, columns != null && columns.width() == width ? columns : new HistoryColumns(width));
  }

  private static long firstOf(long page) {
    return page * HistoryPage.SIZE;
  }

  private boolean isFull() {
    return count.get() > config.historyRecords() || bytes.get() > config.historyBytes();
  }

  /** Looks at nothing but what goes; what still runs is not there to be looked at. */
  private void trimToSize() {
    while (isFull() && count.get() > 1) {
      NumberQueue oldest = permanent.isEmpty() ? aging : permanent;
      if (oldest.isEmpty()) {
        return;
      }
      reachedLimit();
      gone(oldest.remove());
    }
  }

  private void reachedLimit() {
    if (bytes.get() > config.historyBytes()) {
      limits.reached(Limits.Limit.HISTORY_BYTES);
    } else {
      limits.reached(Limits.Limit.HISTORY_RECORDS);
    }
  }

  /** Drops what is too old. */
  void trimToAge(Instant now) {
    Instant limit = now.minus(config.historyAge());
    while (!aging.isEmpty() && isOlder(aging.peek(), limit)) {
      gone(aging.remove());
    }
  }

  private boolean isOlder(long sequence, Instant limit) {
    HistoryPage page = known(sequence);
    Instant end = page == null ? null : page.end(sequence);
    return end != null && end.isBefore(limit);
  }

  /** About what a record takes; texts count, what they stand in is a flat rate. */
  private static int sizeOf(EventRecord record) {
    long sum = 400 + 2L * record.description().length();
    List<HandlerRecord> handlers = record.handlers();
    for (int i = 0; i < handlers.size(); i++) {
      HandlerRecord handler = handlers.get(i);
      sum += 100 + 2L * handler.change().length();
      if (handler.failure().isPresent()) {
        sum += failureBytes(List.of(handler.failure().get()));
      }
    }
    if (record.transaction().isPresent()) {
      var transaction = record.transaction().get();
      sum += 300L * transaction.operations().size() + 150L * transaction.steps().size();
      sum += failureBytes(transaction.failures());
    }
    sum += failureBytes(record.failures());
    return (int) Math.min(sum, Integer.MAX_VALUE);
  }

  private static long failureBytes(List<Failure> failures) {
    long sum = 0;
    for (int i = 0; i < failures.size(); i++) {
      sum += 150 + 2L * failures.get(i).message().length();
    }
    return sum;
  }

  // Reading: any thread.

  /** The event that has begun last, if it has not ended. */
  private @Nullable EventRecord running() {
    while (true) {
      long number = (long) RUNNING.getAcquire(this);
      EventRun run = running;
      if (number < 0 || run == null) {
        return null;
      }
      LoopInput.Submitted submitted = run.submitted;
      Optional<Long> parent = run.parent;
      Instant start = run.begun();
      VarHandle.loadLoadFence();
      if ((long) RUNNING.getOpaque(this) == number) {
        return HistoryPage.running(number, submitted, parent, start);
      }
    }
  }

  @Override
  public Optional<EventRecord> bySequence(long sequence) {
    EventRecord last = running();
    HistoryPage page = sequence < 0 ? null : pages.get(sequence / HistoryPage.SIZE);
    EventRecord record = page == null ? null : page.record(sequence);
    return Optional.ofNullable(
        record == null && last != null && last.sequence() == sequence ? last : record);
  }

  @Override
  public List<EventRecord> between(Instant since, Instant until) {
    if (since.isAfter(until)) {
      return List.of();
    }
    EventRecord last = running();
    List<EventRecord> found = new ArrayList<>();
    for (HistoryPage page : pages.values()) {
      for (long at = page.first(); page.covers(at); at++) {
        EventRecord record = page.record(at);
        if (record != null && overlaps(record, since, until)) {
          found.add(record);
        }
      }
    }
    if (last != null && overlaps(last, since, until)) {
      insert(found, last);
    }
    return List.copyOf(found);
  }

  private static boolean overlaps(EventRecord record, Instant since, Instant until) {
    return !record.start().isAfter(until)
        && (record.end().isEmpty() || !record.end().get().isBefore(since));
  }

  /** In its place, unless it has come to its page meanwhile. */
  private static void insert(List<EventRecord> found, EventRecord last) {
    int at = found.size();
    while (at > 0 && found.get(at - 1).sequence() > last.sequence()) {
      at--;
    }
    if (at == 0 || found.get(at - 1).sequence() < last.sequence()) {
      found.add(at, last);
    }
  }

  @Override
  public List<EventRecord> range(long from, long to) {
    long least = Math.max(0, from);
    if (least > to) {
      return List.of();
    }
    EventRecord last = running();
    List<EventRecord> found = new ArrayList<>();
    for (HistoryPage page :
        pages.subMap(least / HistoryPage.SIZE, true, to / HistoryPage.SIZE, true).values()) {
      for (long at = Math.max(page.first(), least); page.covers(at) && at <= to; at++) {
        add(found, page.record(at));
      }
    }
    if (last != null && last.sequence() >= least && last.sequence() <= to) {
      insert(found, last);
    }
    return List.copyOf(found);
  }

  private static void add(List<EventRecord> to, @Nullable EventRecord record) {
    if (record != null) {
      to.add(record);
    }
  }

  @Override
  public List<EventRecord> first(int n) {
    EventRecord last = running();
    List<EventRecord> found = new ArrayList<>();
    for (HistoryPage page : checked(n) == 0 ? List.<HistoryPage>of() : pages.values()) {
      for (long at = page.first(); page.covers(at) && found.size() < n; at++) {
        add(found, page.record(at));
      }
      if (found.size() == n) {
        break;
      }
    }
    if (last != null) {
      insert(found, last);
    }
    return List.copyOf(found.subList(0, Math.min(n, found.size())));
  }

  @Override
  public List<EventRecord> last(int n) {
    EventRecord last = running();
    List<EventRecord> found = new ArrayList<>();
    for (HistoryPage page :
        checked(n) == 0 ? List.<HistoryPage>of() : pages.descendingMap().values()) {
      for (long at = page.last(); page.covers(at) && found.size() < n; at--) {
        add(found, page.record(at));
      }
      if (found.size() == n) {
        break;
      }
    }
    Collections.reverse(found);
    if (last != null) {
      insert(found, last);
    }
    return List.copyOf(found.subList(Math.max(0, found.size() - n), found.size()));
  }

  private static int checked(int n) {
    if (n < 0) {
      throw new IllegalArgumentException("a count is not negative: " + n);
    }
    return n;
  }
}
