package dev.evenkeel.controller.core;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.HandlerRecord;
import dev.evenkeel.api.loop.History;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The history: immutable records by sequence number. Written by the core's thread; readers need no
 * lock. Bounded by count and bytes, and by age once the permanent period is over; what still runs
 * stays.
 */
final class HistoryStore implements History {
  private final ConcurrentSkipListMap<Long, EventRecord> records = new ConcurrentSkipListMap<>();

  /** Those that have ended and do not age, in the order in which they ended. */
  private final Deque<EventRecord> permanent = new ArrayDeque<>();

  /** Those that have ended and age, in the order in which they ended: so by age. */
  private final Deque<EventRecord> aging = new ArrayDeque<>();

  private final LoopConfig config;
  private Instant permanentUntil = Instant.MAX;
  private final Count count = new Count();
  private final Count bytes = new Count();
  private final Limits limits;

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

  void started(Instant now) {
    permanentUntil = now.plus(config.historyPermanent());
  }

  /** Adds a record, or replaces the one of the same number. */
  void put(EventRecord record) {
    EventRecord before = records.put(record.sequence(), record);
    bytes.add(bytesOf(record));
    if (before == null) {
      count.add(1);
    } else {
      bytes.add(-bytesOf(before));
    }
    if (record.end().isPresent() && (before == null || before.end().isEmpty())) {
      (record.start().isBefore(permanentUntil) ? permanent : aging).add(record);
    }
    if (isFull()) {
      trimToSize();
    }
  }

  private boolean isFull() {
    return count.get() > config.historyRecords() || bytes.get() > config.historyBytes();
  }

  /** Looks at nothing but what goes; what still runs is not there to be looked at. */
  private void trimToSize() {
    while (isFull() && (count.get() > 1 || config.historyRecords() == 0)) {
      EventRecord oldest = permanent.isEmpty() ? aging.poll() : permanent.poll();
      if (oldest == null) {
        return;
      }
      reachedLimit();
      remove(oldest);
    }
  }

  /** A history that is off has no limit to reach. */
  private void reachedLimit() {
    if (bytes.get() > config.historyBytes()) {
      limits.reached(Limits.Limit.HISTORY_BYTES);
    } else if (config.historyRecords() > 0) {
      limits.reached(Limits.Limit.HISTORY_RECORDS);
    }
  }

  /** Drops what is too old. */
  void trimToAge(Instant now) {
    Instant limit = now.minus(config.historyAge());
    EventRecord oldest = aging.peek();
    while (oldest != null && oldest.end().filter(end -> end.isBefore(limit)).isPresent()) {
      remove(aging.remove());
      oldest = aging.peek();
    }
  }

  private void remove(EventRecord ended) {
    EventRecord record = records.remove(ended.sequence());
    if (record != null) {
      count.add(-1);
      bytes.add(-bytesOf(record));
    }
  }

  /** About what a record takes; texts count, what they stand in is a flat rate. */
  private static long bytesOf(EventRecord record) {
    long sum = 400 + 2L * record.description().length();
    for (HandlerRecord handler : record.handlers()) {
      sum +=
          100 + 2L * handler.change().length() + failureBytes(handler.failure().stream().toList());
    }
    if (record.transaction().isPresent()) {
      var transaction = record.transaction().get();
      sum += 300L * transaction.operations().size() + 150L * transaction.steps().size();
      sum += failureBytes(transaction.failures());
    }
    return sum + failureBytes(record.failures());
  }

  private static long failureBytes(List<Failure> failures) {
    long sum = 0;
    for (Failure failure : failures) {
      sum += 150 + 2L * failure.message().length();
    }
    return sum;
  }

  @Override
  public Optional<EventRecord> bySequence(long sequence) {
    return Optional.ofNullable(records.get(sequence));
  }

  @Override
  public List<EventRecord> between(Instant since, Instant until) {
    return records.values().stream()
        .filter(r -> !r.start().isAfter(until) && !since.isAfter(until))
        .filter(r -> r.end().isEmpty() || !r.end().get().isBefore(since))
        .toList();
  }

  @Override
  public List<EventRecord> range(long from, long to) {
    return from > to ? List.of() : List.copyOf(records.subMap(from, true, to, true).values());
  }

  @Override
  public List<EventRecord> first(int n) {
    return some(records.values(), n);
  }

  @Override
  public List<EventRecord> last(int n) {
    List<EventRecord> newest = new ArrayList<>(some(records.descendingMap().values(), n));
    Collections.reverse(newest);
    return List.copyOf(newest);
  }

  private static List<EventRecord> some(Collection<EventRecord> from, int n) {
    if (n < 0) {
      throw new IllegalArgumentException("a count is not negative: " + n);
    }
    return from.stream().limit(n).toList();
  }
}
