package dev.evenkeel.controller.core;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.HandlerRecord;
import dev.evenkeel.api.loop.History;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
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
  private final LoopConfig config;
  private Instant permanentUntil = Instant.MAX;
  private int count;
  private long bytes;

  HistoryStore(LoopConfig config) {
    this.config = config;
  }

  void started(Instant now) {
    permanentUntil = now.plus(config.historyPermanent());
  }

  /** Adds a record, or replaces the one of the same number. */
  void put(EventRecord record) {
    EventRecord before = records.put(record.sequence(), record);
    bytes += bytesOf(record);
    if (before == null) {
      count++;
    } else {
      bytes -= bytesOf(before);
    }
    if (count > config.historyRecords() || bytes > config.historyBytes()) {
      trimToSize();
    }
  }

  private void trimToSize() {
    Iterator<EventRecord> oldest = records.values().iterator();
    while ((count > config.historyRecords() || bytes > config.historyBytes()) && oldest.hasNext()) {
      EventRecord record = oldest.next();
      if (record.end().isPresent() && (count > 1 || config.historyRecords() == 0)) {
        remove(oldest, record);
      }
    }
  }

  /** Drops what is too old. */
  void trimToAge(Instant now) {
    Instant limit = now.minus(config.historyAge());
    Iterator<EventRecord> oldest = records.values().iterator();
    while (oldest.hasNext()) {
      EventRecord record = oldest.next();
      if (record.start().isAfter(limit)) {
        return;
      }
      boolean old = record.end().filter(end -> end.isBefore(limit)).isPresent();
      if (old && !record.start().isBefore(permanentUntil)) {
        remove(oldest, record);
      }
    }
  }

  private void remove(Iterator<EventRecord> at, EventRecord record) {
    at.remove();
    count--;
    bytes -= bytesOf(record);
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
