package dev.evenkeel.txn.engine;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.event.Notification;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.OperationRecord;
import dev.evenkeel.api.txn.Probe;
import dev.evenkeel.api.txn.Results;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.StepRecord;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.api.txn.ValueReader;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.api.txn.ValueStatus;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.ActionOutcome;
import dev.evenkeel.txn.Cursor;
import dev.evenkeel.txn.TxnEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The transaction engine as a state machine without thread, clock and I/O (rule 0): a transaction
 * is a cursor that gives the calls to be made and takes their outcomes. Loop thread only, but for
 * the reader that {@link #values()} gives. One transaction at a time.
 */
public final class EngineCore {
  private final Map<KeyType<?>, Bound<?, ?>> byType = new HashMap<>();
  private volatile Snapshot snapshot = Snapshot.empty();
  private long nextNumber;

  /**
   * An engine without values.
   *
   * @throws dev.evenkeel.api.InvalidInputException when two descriptors share a name or keys, or
   *     wait for each other with retrieving
   */
  public EngineCore(List<? extends Descriptor<?, ?>> descriptors) {
    for (Descriptor<?, ?> descriptor : descriptors) {
      byType.put(descriptor.type(), new Bound<>(descriptor));
    }
  }

  /** Begins a transaction; the one before must have ended. */
  public Cursor<TransactionResult> begin(EngineTransaction transaction) {
    return new Run(transaction.entries());
  }

  /** Begins to take over what the outside says of values of its own. */
  public Cursor<TransactionResult> beginNotification(Notification notification, Instant now) {
    return new Run(List.of());
  }

  /**
   * A call whose limit had passed has returned after all (JT-4): its keys are no longer frozen,
   * what it did is believed, and the cursor goes on with what is still wanted of them.
   */
  public Cursor<TransactionResult> beginReturned(
      Action action, ActionOutcome outcome, Predicate<String> frozen, Instant now) {
    return new Run(List.of());
  }

  /** Paths that a transaction had to leave alone because they were frozen (JT-6, JT-7). */
  public SortedSet<String> dirty() {
    return new TreeSet<>();
  }

  /** Begins to compare and repair the dirty paths that are no longer frozen. */
  public Cursor<TransactionResult> beginDirty(Predicate<String> frozen, Instant now) {
    return new Run(List.of());
  }

  /** The values after the last transaction: a snapshot, which never changes. Any thread. */
  public ValueReader values() {
    return snapshot;
  }

  /** One transaction. */
  private final class Run implements Cursor<TransactionResult> {
    private final Agenda agenda = new Agenda();
    private final StepResults results = new StepResults();
    private final List<OperationRecord> operations = new ArrayList<>();
    private final List<StepRecord> steps = new ArrayList<>();
    private final List<Failure> failures = new ArrayList<>();

    Run(List<TxnEntry> entries) {
      for (int i = entries.size() - 1; i >= 0; i--) {
        TxnEntry entry = entries.get(i);
        agenda.next(() -> execute(entry));
      }
    }

    @Override
    public Next<TransactionResult> next(ActionOutcome outcome) {
      if (!(outcome instanceof ActionOutcome.Start)) {
        agenda.resume(outcome);
      }
      Action action = agenda.work();
      if (action != null) {
        return new Next.Act<>(action);
      }
      TransactionOutcome how =
          failures.isEmpty()
              ? TransactionOutcome.APPLIED
              : TransactionOutcome.APPLIED_WITH_FAILURES;
      return new Next.End<>(new TransactionResult(nextNumber++, how, operations, steps, failures));
    }

    @Override
    public Results results() {
      return results;
    }

    private void execute(TxnEntry entry) {
      if (entry instanceof TxnEntry.Put<?> put) {
        put(put.owner(), put.key(), put.value());
      } else if (entry instanceof TxnEntry.Delete delete) {
        delete(delete.owner(), delete.key());
      } else if (entry instanceof TxnEntry.Act act) {
        step(act.owner(), act.step());
      }
    }

    private <T> void step(String owner, Step<T> step) {
      agenda.call(
          new Call(Action.Kind.PROBE, step.name(), owner, step.limit(), false, c -> step.probe(c)),
          outcome -> {
            if (outcome instanceof ActionOutcome.Done done
                && done.value() instanceof Probe.Present<?> present) {
              results.put(step.name(), present.value());
              record(step, owner, StepRecord.Act.ADOPTED, null, done.took());
            } else if (outcome instanceof ActionOutcome.Done) {
              agenda.next(() -> apply(owner, step));
            } else {
              fail(step, owner, outcome);
            }
          });
    }

    private void apply(String owner, Step<?> step) {
      agenda.call(
          new Call(Action.Kind.APPLY, step.name(), owner, step.limit(), false, c -> step.apply(c)),
          outcome -> {
            if (outcome instanceof ActionOutcome.Done done) {
              results.put(step.name(), done.value());
              record(step, owner, StepRecord.Act.DONE, null, done.took());
            } else {
              fail(step, owner, outcome);
            }
          });
    }

    private void fail(Step<?> step, String owner, ActionOutcome outcome) {
      Failure failure = failure(owner, "apply " + step.name(), outcome);
      failures.add(failure);
      record(step, owner, StepRecord.Act.FAILED, failure, Duration.ZERO);
    }

    private void record(
        Step<?> step, String owner, StepRecord.Act act, @Nullable Failure failure, Duration took) {
      steps.add(new StepRecord(step.name(), owner, act, Optional.ofNullable(failure), took));
    }

    private Failure failure(String owner, String operation, ActionOutcome outcome) {
      return outcome instanceof ActionOutcome.Failed failed
          ? Failure.of(owner, operation, failed.thrown())
          : Failure.of(owner, operation, ErrorKind.DEADLINE_EXCEEDED, "has not returned");
    }

    private void put(String owner, Key<?> key, Object value) {
      Bound<?, ?> bound = byType.get(key.type());
      Snapshot.Entry before = snapshot.entries().get(key.path());
      if (bound == null || (before != null && value.equals(before.applied()))) {
        return;
      }
      Object applied = before == null ? null : before.applied();
      boolean create = applied == null;
      Action call =
          applied == null
              ? bound.create(key, value, owner)
              : bound.update(key, applied, value, metadata(before), owner);
      agenda.call(
          call,
          outcome -> {
            ValueOperation op = create ? ValueOperation.CREATE : ValueOperation.UPDATE;
            if (outcome instanceof ActionOutcome.Done done) {
              save(key, ValueState.CONFIGURED, op, value, value, done.value());
            } else {
              failures.add(
                  failure(owner, create ? "create" : "update", outcome)
                      .about(key.path(), key.path()));
            }
            operations.add(
                new OperationRecord(
                    op,
                    key.path(),
                    create ? ValueState.NONEXISTENT : ValueState.CONFIGURED,
                    outcome instanceof ActionOutcome.Done
                        ? ValueState.CONFIGURED
                        : ValueState.FAILED,
                    Optional.ofNullable(applied),
                    Optional.of(value),
                    Optional.empty(),
                    Set.of()));
          });
    }

    private void delete(String owner, Key<?> key) {
      Bound<?, ?> bound = byType.get(key.type());
      Snapshot.Entry before = snapshot.entries().get(key.path());
      if (bound == null || before == null || before.applied() == null) {
        return;
      }
      Object applied = before.applied();
      agenda.call(
          bound.delete(key, applied, before.metadata(), owner),
          outcome -> {
            boolean done = outcome instanceof ActionOutcome.Done;
            if (done) {
              snapshot = new Snapshot(snapshot.entries().remove(key.path()), snapshot.index());
            } else {
              failures.add(failure(owner, "delete", outcome).about(key.path(), key.path()));
            }
            operations.add(
                new OperationRecord(
                    ValueOperation.DELETE,
                    key.path(),
                    ValueState.CONFIGURED,
                    done ? ValueState.REMOVED : ValueState.FAILED,
                    Optional.of(applied),
                    Optional.empty(),
                    Optional.empty(),
                    Set.of()));
          });
    }

    private @Nullable Object metadata(Snapshot.@Nullable Entry entry) {
      return entry == null ? null : entry.metadata();
    }

    private void save(
        Key<?> key,
        ValueState state,
        ValueOperation op,
        Object desired,
        Object applied,
        Object metadata) {
      ValueStatus status =
          new ValueStatus(key.path(), state, op, Optional.empty(), List.of(), List.of());
      snapshot =
          new Snapshot(
              snapshot
                  .entries()
                  .put(
                      key.path(),
                      new Snapshot.Entry(key, true, status, desired, applied, metadata)),
              snapshot.index());
    }
  }
}
