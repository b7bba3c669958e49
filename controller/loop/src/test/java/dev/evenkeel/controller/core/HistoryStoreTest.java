package dev.evenkeel.controller.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.loop.EventId;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.HandlerRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

  private record Plain(String name) implements UpdateEvent {
    @Override
    public EventType<Plain> type() {
      return EventType.of(name, Plain.class);
    }

    @Override
    public EventSpec spec() {
      return EventSpec.bestEffort();
    }

    @Override
    public String describe() {
      return name + " in its own words";
    }
  }

  private static EventRun run(long sequence, String name, Instant pushed) {
    LoopInput.Submitted submitted =
        LoopInput.Submitted.of(new EventId(2 * sequence + 1), new Plain(name), pushed, Reply.NONE);
    EventRun run = new EventRun(submitted, Optional.empty(), 0);
    run.begins(sequence, pushed.plusNanos(7));
    return run;
  }

  private static void ends(EventRun run, List<String> handlers) {
    run.choose(List.of(), handlers);
    for (int i = 0; i < handlers.size(); i++) {
      run.calls.add(handlers, handlers.get(i), 100 + i);
    }
    run.ends("applied", run.begun().plusNanos(13));
  }

  @Test
  @DisplayName("EL-45 what stands in columns is read as the record that would have been made")
  void columns() {
    HistoryStore history = new HistoryStore(LoopConfig.builder().build(), new Limits("test"));
    List<EventRecord> expected = new ArrayList<>();
    List<Instant> times =
        List.of(
            Instant.EPOCH.minusNanos(1), Instant.MIN, Instant.parse("2031-05-06T07:08:09.123Z"));
    long sequence = 0;
    for (int round = 0; round < 1_000; round++) {
      EventRun run = run(sequence++, "kind-" + round % 20, times.get(round % times.size()));
      history.began(run);
      ends(run, List.of("a", "b", "c").subList(0, round % 4));
      history.ended(run, null);
      expected.add(run.record());
    }
    assertEquals(expected, history.range(0, Long.MAX_VALUE));
    assertEquals(expected.subList(0, 7), history.first(7));
    assertEquals(expected.subList(993, 1_000), history.last(7));
    assertEquals(Optional.of(expected.get(500)), history.bySequence(500));
    assertEquals(expected, history.between(Instant.MIN, Instant.MAX));
    assertEquals(1_000, history.records());
  }

  @Test
  @DisplayName("EL-45 a failure, a change or a revert is told in full")
  void notPlain() {
    HistoryStore history = new HistoryStore(LoopConfig.builder().build(), new Limits("test"));
    EventRun changes = run(0, "e", Instant.EPOCH);
    history.began(changes);
    changes.choose(List.of(), List.of("a", "b"));
    changes.calls.add(changes.chain(), "a", 1);
    changes.calls.add(
        changes.chain(),
        new HandlerRecord("b", false, "more of it", Optional.empty(), Duration.ZERO));
    changes.ends("applied", Instant.EPOCH);
    history.ended(changes, null);
    EventRun fails = run(1, "e", Instant.EPOCH);
    history.began(fails);
    ends(fails, List.of("a"));
    fails.failures.add(Failure.of("a", "update", ErrorKind.INTERNAL, "no"));
    history.ended(fails, null);
    assertEquals(List.of(changes.record(), fails.record()), history.first(2));
    assertEquals("more of it", history.first(1).get(0).handlers().get(1).change());
    assertEquals(1, history.last(1).get(0).failures().size());
  }

  @Test
  @DisplayName("JT-17 what runs is seen, beside its page or on it, and goes when it has ended")
  void running() {
    HistoryStore history =
        new HistoryStore(LoopConfig.builder().historyRecords(0).build(), new Limits("test"));
    EventRun one = run(0, "one", Instant.EPOCH);
    EventRun two = run(1, "two", Instant.EPOCH);
    history.began(one);
    assertEquals(List.of(one.record()), history.first(5));
    history.began(two);
    assertEquals(List.of(one.record(), two.record()), history.first(5));
    assertEquals(List.of(one.record()), history.first(1));
    assertEquals(List.of(two.record()), history.last(1));
    assertEquals(List.of(two.record()), history.range(1, 1));
    assertEquals(Optional.of(two.record()), history.bySequence(1));
    assertEquals(2, history.records());
    ends(two, List.of());
    history.ended(two, null);
    assertEquals(List.of(one.record()), history.between(Instant.EPOCH, Instant.MAX));
    ends(one, List.of());
    history.ended(one, null);
    assertEquals(List.of(), history.first(5));
    assertEquals(0, history.records());
  }

  @Test
  @DisplayName("EL-45 readers see each event whole, while the same object is used for the next")
  void racingReaders() throws Exception {
    HistoryStore history =
        new HistoryStore(LoopConfig.builder().historyRecords(100).build(), new Limits("test"));
    AtomicBoolean stop = new AtomicBoolean();
    FutureTask<Long> reading =
        new FutureTask<>(
            () -> {
              long seen = 0;
              while (!stop.get() || seen == 0) {
                for (EventRecord record : history.last(3)) {
                  assertEquals(2 * record.sequence() + 1, record.id().number());
                  assertEquals("kind-" + record.sequence() % 20, record.type());
                  assertEquals(Instant.EPOCH.plusSeconds(record.sequence()), record.pushed());
                  assertEquals(record.pushed().plusNanos(7), record.start());
                  seen++;
                }
              }
              return seen;
            });
    Thread reader = new Thread(reading);
    reader.start();
    EventRun run = run(0, "kind-0", Instant.EPOCH);
    for (long i = 0; i < 20_000; i++) {
      Instant pushed = Instant.EPOCH.plusSeconds(i);
      run.clear();
      run.again(run(i, "kind-" + i % 20, pushed).submitted);
      run.begins(i, pushed.plusNanos(7));
      history.began(run);
      ends(run, List.of("a", "b"));
      history.ended(run, null);
    }
    stop.set(true);
    assertTrue(reading.get(20, TimeUnit.SECONDS) > 0);
  }

  @Test
  @DisplayName("EL-45 what runs is looked at again when it has moved on under the reader")
  void racingWithWhatRuns() throws Exception {
    // Nothing is kept, so that a reader does nothing but look at what runs: the most chances for
    // the number of one event beside the times of the next.
    HistoryStore history =
        new HistoryStore(LoopConfig.builder().historyRecords(0).build(), new Limits("test"));
    AtomicBoolean stop = new AtomicBoolean();
    FutureTask<Long> reading =
        new FutureTask<>(
            () -> {
              long seen = 0;
              while (!stop.get() || seen == 0) {
                for (EventRecord record : history.last(1)) {
                  assertEquals(2 * record.sequence() + 1, record.id().number());
                  assertEquals(Instant.EPOCH.plusSeconds(record.sequence()), record.pushed());
                  assertEquals(record.pushed().plusNanos(7), record.start());
                  seen++;
                }
              }
              return seen;
            });
    new Thread(reading).start();
    EventRun run = run(0, "kind", Instant.EPOCH);
    for (long i = 0; i < 300_000 && !reading.isDone(); i++) {
      Instant pushed = Instant.EPOCH.plusSeconds(i);
      run.clear();
      run.again(run(i, "kind", pushed).submitted);
      run.begins(i, pushed.plusNanos(7));
      history.began(run);
      ends(run, List.of());
      history.ended(run, null);
    }
    EventRun last = run(300_000, "kind", Instant.EPOCH.plusSeconds(300_000));
    history.began(last);
    stop.set(true);
    assertTrue(reading.get(20, TimeUnit.SECONDS) > 0);
  }

  @Test
  @DisplayName("EL-45 numbers too big for their column are told in full")
  void tooBig() {
    HistoryStore history = new HistoryStore(LoopConfig.builder().build(), new Limits("test"));
    EventRun slow = run(0, "slow", Instant.EPOCH);
    history.began(slow);
    slow.choose(List.of(), List.of("a"));
    slow.calls.add(slow.chain(), "a", 1L << 33);
    slow.ends("applied", Instant.EPOCH.plusSeconds(9));
    history.ended(slow, null);
    EventRun waited = run(1, "waited", Instant.MIN);
    waited.begins(1, Instant.MAX);
    history.began(waited);
    waited.ends("applied", Instant.MAX);
    history.ended(waited, null);
    EventRun wide = run(2, "wide", Instant.EPOCH);
    history.began(wide);
    ends(wide, List.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j"));
    history.ended(wide, null);
    assertEquals(List.of(slow.record(), waited.record(), wide.record()), history.first(5));
  }

  @Test
  @DisplayName("EL-44 numbers queue up in order, however many")
  void queue() {
    NumberQueue queue = new NumberQueue();
    Deque<Long> expected = new ArrayDeque<>();
    long number = 0;
    for (int round = 0; round < 300; round++) {
      for (int i = 0; i < 7; i++) {
        number += i == round % 7 ? -2 : 1;
        queue.add(number);
        expected.add(number);
      }
      for (int i = 0; i < 3; i++) {
        assertEquals(expected.element(), queue.peek());
        assertEquals(expected.remove(), queue.remove());
      }
    }
    while (!queue.isEmpty()) {
      assertEquals(expected.remove(), queue.remove());
    }
    assertTrue(expected.isEmpty());
  }
}
