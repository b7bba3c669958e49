package dev.evenkeel.controller.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.loop.EventId;
import dev.evenkeel.api.loop.EventRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The history by itself. */
@DisplayName("The history")
final class HistoryStoreTest {
  private static EventRecord record(long sequence, Instant start, Optional<Instant> end) {
    return new EventRecord(
        sequence,
        new EventId(2 * sequence + 1),
        Optional.empty(),
        "ev",
        "",
        EventMethod.UPDATE,
        start,
        start,
        end,
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        List.of());
  }

  @Test
  @DisplayName("EW-15 trimming looks at what goes, not at the many that run")
  void trimmingIsCheap() {
    HistoryStore history =
        new HistoryStore(LoopConfig.builder().historyRecords(10).build(), new Limits("test"));
    history.started(Instant.EPOCH);
    for (long i = 0; i < 50_000; i++) {
      history.put(record(i, Instant.EPOCH, Optional.empty()));
    }
    assertTimeoutPreemptively(
        Duration.ofSeconds(5),
        () -> {
          for (long i = 50_000; i < 70_000; i++) {
            history.put(record(i, Instant.EPOCH, Optional.of(Instant.EPOCH)));
          }
          history.trimToAge(Instant.EPOCH.plus(Duration.ofDays(3)));
        });
    assertEquals(50_000, history.records());
    assertEquals(0, history.first(1).get(0).sequence());
  }

  @Test
  @DisplayName("EL-44 by age go those that ended first, and a record that ends twice goes once")
  void byAge() {
    HistoryStore history =
        new HistoryStore(
            LoopConfig.builder().historyPermanent(Duration.ZERO).build(), new Limits("test"));
    Instant zero = Instant.EPOCH;
    history.started(zero);
    history.put(record(0, zero, Optional.empty()));
    history.put(record(1, zero, Optional.of(zero.plusSeconds(1))));
    history.put(record(0, zero, Optional.of(zero.plusSeconds(2))));
    history.put(record(0, zero, Optional.of(zero.plusSeconds(2))));
    history.trimToAge(zero.plus(Duration.ofHours(24)).plusSeconds(2));
    assertEquals(List.of(0L), history.first(9).stream().map(EventRecord::sequence).toList());
    history.trimToAge(zero.plus(Duration.ofHours(24)).plusSeconds(3));
    assertEquals(0, history.records());
    assertEquals(0, history.bytes());
  }

  @Test
  @DisplayName("EW-15 bytes are a limit, too, for permanent records as well, and are counted")
  void byBytes() {
    Limits limits = new Limits("test");
    HistoryStore history =
        new HistoryStore(LoopConfig.builder().historyBytes(4_000).build(), limits);
    history.started(Instant.EPOCH);
    for (long i = 0; i < 100; i++) {
      history.put(record(i, Instant.EPOCH, Optional.of(Instant.EPOCH)));
    }
    assertEquals(10, history.records(), "of 400 bytes each");
    assertEquals(90, history.first(1).get(0).sequence());
    assertEquals(90, limits.count(Limits.Limit.HISTORY_BYTES));
    assertEquals(0, limits.count(Limits.Limit.HISTORY_RECORDS));
  }
}
