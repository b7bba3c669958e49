package dev.evenkeel.api.txn;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.EventMethod;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One entry of a transaction history (transactions reference, rule 58). Immutable. Values are those
 * that were put, by reference; steps are named, never held.
 *
 * @param number of the transaction in its engine, from 0
 * @param kind why it was run
 * @param method update, or which resync
 * @param description for people
 * @param retryOf what it tries again; absent when it is no retry
 * @param values what was wanted, ordered as it was put; in a full or an upstream resync also what
 *     was to go, and nothing in a downstream one
 * @param planned what a dry run before it said it would do; absent when there was none
 * @param executed what was done to values, in order; of a dry run, what would be done
 * @param steps what became of the steps, in order
 * @param start when it began, by the clock of whoever drives the engine
 * @param stop when it had ended; absent while it runs
 * @param dryRun whether it was only a plan
 * @param outcome how it ended; absent while it runs, and then all but the plan is preliminary
 * @param failures every failure, the one that decided first
 * @param shortened whether it was too long for the history, and its lists hold their beginnings
 */
@Experimental("new")
public record TransactionRecord(
    long number,
    TransactionKind kind,
    EventMethod method,
    String description,
    Optional<RetryOf> retryOf,
    List<RecordedValue> values,
    Optional<List<OperationRecord>> planned,
    List<OperationRecord> executed,
    List<StepRecord> steps,
    Instant start,
    Optional<Instant> stop,
    boolean dryRun,
    Optional<TransactionOutcome> outcome,
    List<Failure> failures,
    boolean shortened) {
  /** Copies the lists. */
  public TransactionRecord {
    values = List.copyOf(values);
    planned = planned.map(List::copyOf);
    executed = List.copyOf(executed);
    steps = List.copyOf(steps);
    failures = List.copyOf(failures);
  }

  /** Whether it has not ended: a record made beforehand. */
  public boolean running() {
    return outcome.isEmpty();
  }

  /**
   * What a retry tries again.
   *
   * @param transaction number of the one in which it failed first
   * @param attempt from 1
   */
  public record RetryOf(long transaction, int attempt) {}

  /**
   * One value that was wanted.
   *
   * @param key its path
   * @param value what was wanted; absent means gone
   * @param origin who is responsible for it
   * @param owner handler that wanted it, or the part of the framework
   */
  public record RecordedValue(String key, Optional<Object> value, Origin origin, String owner) {}
}
