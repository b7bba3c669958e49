package dev.evenkeel.controller.metrics;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.event.HealingResync;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.HandlerRecord;
import dev.evenkeel.controller.core.BeginListener;
import dev.evenkeel.controller.core.Count;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * Counts what a loop does, from the records that it tells. Made by the loop's builder; called on
 * the loop's thread; an event costs additions and two looks at the clock, and allocates nothing
 * unless its type is new. Read by any thread.
 */
@Experimental("goes with LoopMetrics")
public final class LoopTally implements BeginListener {
  /** Every word of an outcome, and one for those that come later. */
  static final List<String> WORDS =
      List.of(
          "applied",
          "applied with errors",
          "reverted",
          "reverted incompletely",
          "refused",
          "unfinished",
          "dropped",
          "superseded",
          Series.OTHER);

  private final LongSupplier nanos;
  private final Map<String, Count> outcomes = new LinkedHashMap<>();
  private final Series types;
  private final Series handlers;
  final Took waits = new Took();
  final Count followUps = new Count();
  final Count admissionsRefused = new Count();
  final Count revertFailures = new Count();
  final Count healingsRun = new Count();
  final Count healingsFailed = new Count();
  final EngineTally engine = new EngineTally();

  private volatile Found found = (sort, name, took) -> {};
  private volatile Executor executor = Runnable::run;
  private long begunSequence = -1;
  private long begunNanos;

  /** Sorts of series that turn up. */
  enum Sort {
    /** By type of event. */
    TYPE,
    /** By handler. */
    HANDLER
  }

  /** Told of a series that has turned up. */
  interface Found {
    void series(Sort sort, String name, Took took);
  }

  LoopTally(int most, LongSupplier nanos) {
    this.nanos = nanos;
    this.types = new Series(most, (name, took) -> tell(Sort.TYPE, name, took));
    this.handlers = new Series(most, (name, took) -> tell(Sort.HANDLER, name, took));
    WORDS.forEach(word -> outcomes.put(word, new Count()));
  }

  /** Whom to tell of what turns up; before the loop starts. */
  void to(Found listener, Executor where) {
    found = listener;
    executor = where;
  }

  private void tell(Sort sort, String name, Took took) {
    Found listener = found;
    executor.execute(() -> listener.series(sort, name, took));
  }

  /** How many series by type of event there are; the loop's thread. */
  public int types() {
    return types.size();
  }

  Count outcome(String word) {
    Count count = outcomes.get(word);
    return count != null ? count : outcome(Series.OTHER);
  }

  @Override
  public void began(long sequence, Instant pushed, Instant start, boolean followsUp) {
    begunSequence = sequence;
    begunNanos = nanos.getAsLong();
    waits.add(between(pushed, start));
    if (followsUp) {
      followUps.add(1);
    }
  }

  @Override
  public void onEnd(EventRecord record) {
    Took type = types.of(record.type());
    long took = durationOf(record);
    if (took >= 0) {
      type.add(took);
    }
    if (!record.failures().isEmpty()) {
      type.failed();
    }
    String word = record.outcome().orElse(Series.OTHER);
    outcome(word).add(1);
    if (word.equals("refused") && isAdmission(record)) {
      admissionsRefused.add(1);
    }
    if (isHealing(record)) {
      healed(word);
    }
    handlers(record.handlers());
    revertFailures.add(revertFailures(record.failures()));
    if (record.transaction().isPresent()) {
      engine.ended(record.transaction().get());
    }
  }

  /** One that was dropped has not run. */
  private void healed(String word) {
    if (!word.equals("dropped")) {
      healingsRun.add(1);
      healingsFailed.add(word.equals("applied") ? 0 : 1);
    }
  }

  /**
   * From its first turn to its answer, by the stopwatch while no other event has begun since, else
   * by the record; negative when it never began.
   */
  private long durationOf(EventRecord record) {
    if (record.sequence() == begunSequence) {
      return Math.max(0, nanos.getAsLong() - begunNanos);
    }
    Optional<Instant> end = record.end();
    long between = end.isPresent() ? between(record.start(), end.get()) : 0;
    return between > 0 ? between : -1;
  }

  private static long between(Instant from, Instant to) {
    long seconds = to.getEpochSecond() - from.getEpochSecond();
    return Math.max(0, seconds * 1_000_000_000L + to.getNano() - from.getNano());
  }

  private void handlers(List<HandlerRecord> calls) {
    for (int i = 0; i < calls.size(); i++) {
      HandlerRecord call = calls.get(i);
      Took handler = handlers.of(call.handler());
      handler.add(call.duration().toNanos());
      if (call.failure().isPresent()) {
        handler.failed();
      }
    }
  }

  private static long revertFailures(List<Failure> failures) {
    long count = 0;
    for (int i = 0; i < failures.size(); i++) {
      String operation = failures.get(i).operation();
      if (operation.equals("revert") || operation.equals("onRevert")) {
        count++;
      }
    }
    return count;
  }

  /** Whether it was refused for its locks, its back-off, or the number of operations. */
  private static boolean isAdmission(EventRecord record) {
    if (record.failures().isEmpty()) {
      return false;
    }
    Failure why = record.failures().get(0);
    return why.owner().equals("operations")
        && (why.kind() == ErrorKind.BUSY || why.kind() == ErrorKind.RESOURCE_EXHAUSTED);
  }

  private static boolean isHealing(EventRecord record) {
    return record.method() != EventMethod.UPDATE && record.type().equals(HealingResync.TYPE.name());
  }
}
