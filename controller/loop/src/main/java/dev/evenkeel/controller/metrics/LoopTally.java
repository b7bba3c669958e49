package dev.evenkeel.controller.metrics;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.event.HealingResync;
import dev.evenkeel.controller.core.Count;
import dev.evenkeel.controller.core.CountingListener;
import dev.evenkeel.controller.core.EndedEvent;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * Counts what a loop does. Made by the loop's builder; called on the loop's thread; an event costs
 * additions, and allocates nothing unless its type is new. Read by any thread.
 */
@Experimental("goes with LoopMetrics")
public final class LoopTally implements CountingListener {
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

  private final Map<String, Count> outcomes = new LinkedHashMap<>();
  private final Count applied;
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

  LoopTally(int most) {
    this.types = new Series(most, (name, took) -> tell(Sort.TYPE, name, took));
    this.handlers = new Series(most, (name, took) -> tell(Sort.HANDLER, name, took));
    WORDS.forEach(word -> outcomes.put(word, new Count()));
    this.applied = outcome("applied");
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
  public void began(Instant pushed, Instant start, boolean followsUp) {
    waits.add(between(pushed, start));
    if (followsUp) {
      followUps.add(1);
    }
  }

  @Override
  public void ended(EndedEvent event) {
    Took type = types.of(0, event.typeName());
    long took = event.tookNanos();
    if (took >= 0) {
      type.add(took);
    }
    boolean failed = !event.failures().isEmpty();
    if (failed) {
      type.failed();
    }
    String word = event.word();
    if (word.equals("applied")) {
      applied.add(1);
    } else {
      outcome(word).add(1);
    }
    if (isHealing(event)) {
      healed(word);
    }
    handlers(event);
    if (failed) {
      failures(event, word);
    }
    if (event.transaction().isPresent()) {
      engine.ended(event.transaction().get());
    }
  }

  private void failures(EndedEvent event, String word) {
    if (word.equals("refused") && isAdmission(event)) {
      admissionsRefused.add(1);
    }
    revertFailures.add(revertFailures(event.failures()));
  }

  /** One that was dropped has not run. */
  private void healed(String word) {
    if (!word.equals("dropped")) {
      healingsRun.add(1);
      healingsFailed.add(word.equals("applied") ? 0 : 1);
    }
  }

  private static long between(Instant from, Instant to) {
    long seconds = to.getEpochSecond() - from.getEpochSecond();
    return Math.max(0, seconds * 1_000_000_000L + to.getNano() - from.getNano());
  }

  private void handlers(EndedEvent event) {
    for (int i = 0; i < event.calls(); i++) {
      Took handler = handlers.of(i, event.handler(i));
      handler.add(event.nanos(i));
      if (event.failed(i)) {
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
  private static boolean isAdmission(EndedEvent event) {
    Failure why = event.failures().get(0);
    return why.owner().equals("operations")
        && (why.kind() == ErrorKind.BUSY || why.kind() == ErrorKind.RESOURCE_EXHAUSTED);
  }

  private static boolean isHealing(EndedEvent event) {
    return event.method() != EventMethod.UPDATE
        && event.typeName().equals(HealingResync.TYPE.name());
  }
}
