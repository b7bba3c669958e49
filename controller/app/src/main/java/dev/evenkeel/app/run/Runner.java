package dev.evenkeel.app.run;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.loop.EventId;
import dev.evenkeel.api.loop.EventLoop;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.LoopClosedException;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.app.show.Ended;
import dev.evenkeel.app.show.Report;
import dev.evenkeel.app.workload.Entry;
import dev.evenkeel.app.workload.Expected;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Pushes the events of a workload one after another, each when the one before has ended, and shows
 * them. Used by one thread.
 */
final class Runner {
  private static final Duration ROOM = Duration.ofSeconds(10);
  private static final Duration GLANCE = Duration.ofMillis(50);
  private static final int GLANCES_A_SECOND = 20;
  private static final int SECONDS_TO_WORRY = 10;

  /** Lines that the summary shows one by one; a stream may have any number. */
  private static final int MOST_ROWS = 10_000;

  /** How long a record may come after its outcome. */
  private static final int GLANCES_FOR_RECORD = 2 * GLANCES_A_SECOND;

  private final EventLoop loop;
  private final RecordFeed feed;
  private final FaultHandler faults;
  private final Tally tally;
  private final Report report;
  private final BooleanSupplier calledOff;
  private final Health health;
  private final List<Ended> rows = new ArrayList<>();
  private final List<EventRecord> asides = new ArrayList<>();
  private final Map<EventId, EventRecord> ended = new TreeMap<>();
  private long events;
  private long unexpected;
  private volatile boolean waitsForInput;

  Runner(
      EventLoop loop,
      RecordFeed feed,
      FaultHandler faults,
      Tally tally,
      Report report,
      Health health,
      BooleanSupplier calledOff) {
    this.loop = loop;
    this.feed = feed;
    this.faults = faults;
    this.tally = tally;
    this.report = report;
    this.health = health;
    this.calledOff = calledOff;
  }

  /** Opens the loop's gate: shows the handlers what is stored. */
  void start(InputState stored) throws InterruptedException {
    Submission<Void> resync = loop.pushEvent(DatastoreResync.of(stored));
    Outcome<Void> outcome = outcome(resync);
    record(resync.id()).ifPresent(report::aside);
    if (!outcome.isSuccess()) {
      throw new CannotGoOnException(
          "What is stored cannot be taken up: " + outcome.failures(), null);
    }
  }

  /** Runs all lines, until the end or until it is called off; gives how each ended. */
  Report.Totals run(Entries entries) throws IOException, InterruptedException {
    for (Entry entry = next(entries); entry != null; entry = next(entries)) {
      if (entry instanceof Entry.Wanted wanted) {
        run(wanted);
      } else if (entry instanceof Entry.Invalid invalid) {
        boolean unused = end(invalid);
      }
    }
    return new Report.Totals(events, unexpected, rows);
  }

  private @Nullable Entry next(Entries entries) throws IOException {
    if (calledOff.getAsBoolean()) {
      return null;
    }
    waitsForInput = entries.total().isEmpty();
    try {
      return entries.next();
    } finally {
      waitsForInput = false;
    }
  }

  /** Whether it waits for a line that may never come. Any thread. */
  boolean waitsForInput() {
    return waitsForInput;
  }

  private void run(Entry.Wanted wanted) throws InterruptedException {
    Request<?> request = wanted.request();
    report.opening(number(), request.type().name(), request.describe(), wanted.note());
    arm(wanted, true);
    Outcome<?> outcome;
    try {
      outcome = outcome(push(request));
    } finally {
      arm(wanted, false);
    }
    tally.ended(request, outcome.word());
    Optional<EventRecord> record = record(outcome.event());
    boolean expected = end(wanted, outcome, record);
    asides.forEach(report::aside);
    asides.clear();
    if (!expected) {
      health.check(loop.status(), outcome.failures());
    }
  }

  private void arm(Entry.Wanted wanted, boolean on) {
    if (wanted.fault().isPresent() && wanted.request() instanceof CreateVolume create) {
      if (on) {
        faults.arm(create.name());
      } else {
        faults.disarm(create.name());
      }
    }
  }

  /** Waits for the outcome, and takes the records that come meanwhile. */
  private <R> Outcome<R> outcome(Submission<R> submission) throws InterruptedException {
    CompletableFuture<Outcome<R>> outcome = submission.outcome().toCompletableFuture();
    for (int glances = 1; !outcome.isDone(); glances++) {
      glance(submission.id());
      if (glances % (SECONDS_TO_WORRY * GLANCES_A_SECOND) == 0) {
        report.waiting(glances / GLANCES_A_SECOND);
      }
    }
    return outcome.join();
  }

  private <R> Submission<R> push(Request<R> request) throws InterruptedException {
    try {
      return loop.pushEvent(request, ROOM);
    } catch (LoopClosedException closed) {
      throw health.gone(loop.status(), closed);
    }
  }

  /** The record of an event that has an outcome already. */
  private Optional<EventRecord> record(EventId id) throws InterruptedException {
    for (int glances = 0; !ended.containsKey(id) && glances < GLANCES_FOR_RECORD; glances++) {
      glance(id);
    }
    return Optional.ofNullable(ended.remove(id));
  }

  /** Takes the next record, if one comes soon: of the event waited for, or of another. */
  private void glance(EventId awaited) throws InterruptedException {
    Optional<EventRecord> record = feed.poll(GLANCE);
    if (record.isPresent()) {
      if (record.get().id().equals(awaited)) {
        ended.put(awaited, record.get());
      } else {
        asides.add(record.get());
      }
    }
  }

  private boolean end(Entry.Wanted wanted, Outcome<?> outcome, Optional<EventRecord> record) {
    List<Failure> failures = record.map(EventRecord::failures).orElse(outcome.failures());
    Duration duration =
        record
            .flatMap(r -> r.end().map(end -> Duration.between(r.start(), end)))
            .orElse(Duration.ZERO);
    Request<?> request = wanted.request();
    String subject =
        request.spec().lane() instanceof Lane.Operation operation ? operation.subject() : "-";
    Ended end =
        new Ended(
            number(),
            wanted.line(),
            request.type().name(),
            subject,
            wanted.expected().word(),
            outcome.word(),
            duration,
            record,
            failures.stream().map(Failure::toString).toList());
    return end(end);
  }

  private boolean end(Entry.Invalid invalid) {
    return end(
        new Ended(
            number(),
            invalid.line(),
            "line " + invalid.line(),
            "cannot be run",
            invalid.expected().word(),
            Expected.INVALID.word(),
            Duration.ZERO,
            Optional.empty(),
            invalid.faults()));
  }

  private boolean end(Ended end) {
    events++;
    if (!end.asExpected()) {
      unexpected++;
    }
    if (rows.size() < MOST_ROWS) {
      rows.add(end.row());
    }
    report.closing(end);
    return end.asExpected();
  }

  private long number() {
    return events + 1;
  }
}
