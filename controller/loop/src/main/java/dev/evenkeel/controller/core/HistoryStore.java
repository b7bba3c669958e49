package dev.evenkeel.controller.core;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.HandlerRecord;
import dev.evenkeel.api.loop.History;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
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
 * are. Of an event that has just begun only what it is made of is kept; whoever reads meanwhile
 * makes the record.
 */
final class HistoryStore implements History {
  private final ConcurrentNavigableMap<Long, HistoryPage> pages = new ConcurrentSkipListMap<>();
  private final LoopConfig config;
  private final Limits limits;
  private final Count count = new Count();
  private final Count bytes = new Count();
  private Instant permanentUntil = Instant.MAX;
  private @Nullable HistoryPage current;
  private @Nullable HistoryPage leaving;

  /** Those that have ended and do not age, in the order in which they ended. */
  private final Deque<EventRecord> permanent = new ArrayDeque<>();

  /** Those that have ended and age, in the order in which they ended: so by age. */
  private final Deque<EventRecord> aging = new ArrayDeque<>();

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

  /** A pushed event has begun. */
  void began(long sequence, LoopInput.Submitted submitted, Instant start) {
    HistoryPage page = page(sequence);
    if (page.begin(sequence, submitted, start)) {
      count.add(1);
      trimIfFull();
    }
  }

  /** Adds a record, or replaces the one of the same number. */
  void put(EventRecord record) {
    if (record.end().isPresent() && !keeps()) {
      gone(record.sequence());
      return;
    }
    int size = sizeOf(record);
    HistoryPage page = page(record.sequence());
    boolean ends = record.end().isPresent() && !page.hasEnded(record.sequence());
    int before = page.put(record, size);
    bytes.add(size - Math.max(0, before));
    count.add(before < 0 ? 1 : 0);
    if (ends) {
      (record.start().isBefore(permanentUntil) ? permanent : aging).add(record);
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
      page = pages.computeIfAbsent(sequence / HistoryPage.SIZE, n -> new HistoryPage(firstOf(n)));
      current = page;
    }
    return page;
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
      EventRecord oldest = permanent.isEmpty() ? aging.poll() : permanent.poll();
      if (oldest == null) {
        return;
      }
      reachedLimit();
      gone(oldest.sequence());
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
    EventRecord oldest = aging.peek();
    while (oldest != null && oldest.end().filter(end -> end.isBefore(limit)).isPresent()) {
      gone(aging.remove().sequence());
      oldest = aging.peek();
    }
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

  @Override
  public Optional<EventRecord> bySequence(long sequence) {
    HistoryPage page = sequence < 0 ? null : pages.get(sequence / HistoryPage.SIZE);
    return Optional.ofNullable(page).map(p -> p.record(sequence));
  }

  @Override
  public List<EventRecord> between(Instant since, Instant until) {
    List<EventRecord> found = new ArrayList<>();
    for (HistoryPage page : since.isAfter(until) ? List.<HistoryPage>of() : pages.values()) {
      for (long at = page.first(); page.covers(at); at++) {
        EventRecord record = page.record(at);
        if (record != null
            && !record.start().isAfter(until)
            && (record.end().isEmpty() || !record.end().get().isBefore(since))) {
          found.add(record);
        }
      }
    }
    return List.copyOf(found);
  }

  @Override
  public List<EventRecord> range(long from, long to) {
    List<EventRecord> found = new ArrayList<>();
    long least = Math.max(0, from);
    if (least > to) {
      return List.of();
    }
    for (HistoryPage page :
        pages.subMap(least / HistoryPage.SIZE, true, to / HistoryPage.SIZE, true).values()) {
      for (long at = Math.max(page.first(), least); page.covers(at) && at <= to; at++) {
        add(found, page.record(at));
      }
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
    List<EventRecord> found = new ArrayList<>();
    for (HistoryPage page : checked(n) == 0 ? List.<HistoryPage>of() : pages.values()) {
      for (long at = page.first(); page.covers(at) && found.size() < n; at++) {
        add(found, page.record(at));
      }
    }
    return List.copyOf(found);
  }

  @Override
  public List<EventRecord> last(int n) {
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
    return List.copyOf(found);
  }

  private static int checked(int n) {
    if (n < 0) {
      throw new IllegalArgumentException("a count is not negative: " + n);
    }
    return n;
  }
}
