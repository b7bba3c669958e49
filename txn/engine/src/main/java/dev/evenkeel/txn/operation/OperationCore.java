package dev.evenkeel.txn.operation;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.Found;
import dev.evenkeel.api.handler.Intent;
import dev.evenkeel.api.handler.OperationLoader;
import dev.evenkeel.api.txn.StepRecord;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.volume.OperationExecutor;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.Cursor;
import dev.evenkeel.txn.TxnEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Operations between ADMIT and END: locks, back-off, and what the journal means (JT-2, JT-3,
 * JT-13). Used by the loop, on its thread alone, but for what says otherwise. No thread, clock or
 * I/O: the actions and cursors that it gives are driven elsewhere.
 *
 * <p>The order of calls for one operation: {@link #admit}, {@link #loading}, {@link #judge}, {@link
 * #lock}, {@link #script}, {@link #end}; or {@link #abandon} anywhere. Only one operation at a time
 * works on a subject, also where the locks would allow two: the journal has one intent for it.
 */
public final class OperationCore {
  private final OperationOptions options;
  private final LockTable locks = new LockTable();
  private final BackOff backOff;
  private final Map<String, Operation> bySubject = new HashMap<>();

  /** In order of admission; read by other threads, too. */
  private final Map<Long, Operation> running = new ConcurrentSkipListMap<>();

  private final Map<Operation, Long> numbers = new HashMap<>();
  private long admitted;

  /** A core without operations. */
  public OperationCore(OperationOptions options) {
    this.options = options;
    this.backOff = new BackOff(options);
  }

  /**
   * ADMIT: takes the event's locks, all or none, unless a back-off forbids. A refusal has changed
   * nothing.
   *
   * @param transaction id of the transaction, unless it goes on with an interrupted one
   * @param now the turn's time
   */
  public Admission admit(UpdateEvent event, Lane.Operation lane, String transaction, Instant now) {
    backOff.expire(now);
    BackOff.Spot spot = BackOff.Spot.of(lane);
    Optional<Failure> tooSoon = backOff.check(spot, lane.kind(), now);
    if (tooSoon.isPresent()) {
      return new Admission.Refused(tooSoon.get());
    }
    if (running.size() >= options.mostOperations()) {
      return new Admission.Refused(
          Failure.of(
              "operations",
              "admit " + lane.kind(),
              ErrorKind.RESOURCE_EXHAUSTED,
              running.size() + " operations are running already: repeat it later"));
    }
    Operation operation = new Operation(event, lane, transaction, now, locks);
    Optional<Failure> busy = occupy(operation, lane.subject(), lane.locks(), "admit");
    if (busy.isPresent()) {
      return new Admission.Refused(busy.get());
    }
    backOff.admitted(spot, lane.kind());
    long number = admitted++;
    numbers.put(operation, number);
    running.put(number, operation);
    return new Admission.Admitted(operation);
  }

  /** Takes a subject and locks, or nothing and says why. */
  private Optional<Failure> occupy(
      Operation operation, String subject, Collection<LockKey> keys, String doing) {
    Operation other = bySubject.get(subject);
    if (other != null && other != operation) {
      return Optional.of(busy(operation, doing, subject + " is being worked on by " + other));
    }
    Optional<Failure> refused = take(operation, keys, doing);
    if (refused.isEmpty()) {
      bySubject.put(subject, operation);
    }
    return refused;
  }

  private Optional<Failure> take(Operation operation, Collection<LockKey> keys, String doing) {
    Optional<LockTable.Conflict> conflict = locks.take(operation.lease(), keys);
    if (conflict.isEmpty()) {
      operation.held(operation.lease().keys());
    }
    return conflict.map(c -> busy(operation, doing, c.text()));
  }

  private static Failure busy(Operation operation, String doing, String text) {
    return Failure.of("operations", doing + " " + operation.lane().kind(), ErrorKind.BUSY, text);
  }

  /**
   * A worker's visit that runs the loaders in order and reads the journal. It returns a {@link
   * Loaded}; what it throws refuses the event, with nothing done.
   *
   * @param loaders those of the handlers that handle the event
   */
  public Action loading(Operation operation, Journal journal, List<OperationLoader> loaders) {
    checkRunning(operation);
    operation.loaded(null);
    operation.watch(true);
    operation.stage("load");
    return Loading.of(operation, operation.event(), journal, loaders);
  }

  /**
   * The same for planning the old event of {@link Verdict.RecoverFirst}: its handlers want what
   * their loaders read for it.
   */
  public Action loading(
      Operation operation, UpdateEvent old, Journal journal, List<OperationLoader> loaders) {
    checkRunning(operation);
    operation.stage("load");
    return Loading.of(operation, old, journal, loaders);
  }

  /**
   * PLAN begins: takes the declared subject's locks on the canonical one, too, and compares with
   * the journal. What was read before another operation gave back that lock is stale: then it is
   * refused.
   */
  public Verdict judge(Operation operation, Loaded loaded) {
    checkRunning(operation);
    operation.stage("plan");
    String subject = loaded.subject();
    if (!subject.equals(operation.subject())) {
      Optional<Failure> refused = rename(operation, subject);
      if (refused.isPresent()) {
        return new Verdict.Refuse(refused.get());
      }
    }
    operation.loaded(loaded);
    return Judge.judge(operation, loaded);
  }

  private Optional<Failure> rename(Operation operation, String subject) {
    List<LockKey> keys =
        operation.lane().locks().stream()
            .filter(key -> key.id().equals(operation.lane().subject()))
            .map(key -> new LockKey(subject, key.mode(), key.scope()))
            .toList();
    if (operation.mayBeStale(keys.isEmpty() ? List.of(whole(subject)) : keys)) {
      return Optional.of(busy(operation, "plan", subject + " was changed meanwhile: repeat it"));
    }
    Optional<Failure> refused = occupy(operation, subject, keys, "plan");
    if (refused.isEmpty()) {
      if (!operation.subject().equals(operation.lane().subject())) {
        bySubject.remove(operation.subject(), operation);
      }
      operation.subject(subject);
    }
    return refused;
  }

  /**
   * A further lock, wanted by a handler in PLAN. When it is refused nothing is done: {@link
   * #abandon} follows.
   */
  public Optional<Failure> lock(Operation operation, LockKey key) {
    checkRunning(operation);
    return operation.mayBeStale(List.of(key))
        ? Optional.of(busy(operation, "plan", key.id() + " was changed meanwhile: repeat it"))
        : take(operation, List.of(key), "plan");
  }

  /**
   * The run: intent, steps, result, or the way back. The report's outcome is applied, reverted,
   * revert incomplete (the intent stays open: repeat the request), rejected (nothing was done), or
   * unfinished (a call still runs: give its return to the cursor, which goes on).
   *
   * @param found as in the verdict
   * @param entries of all handlers; values are the loop's affair
   */
  public Cursor<OperationReport> script(
      Operation operation, Found found, List<TxnEntry> entries, Journal journal) {
    checkRunning(operation);
    operation.watch(false);
    JournalState seen = operation.loaded().journal();
    ScriptPlan.Mode mode = ScriptPlan.Mode.NEW;
    if (found instanceof Found.Repeat) {
      mode = ScriptPlan.Mode.REPEAT;
    } else if (found instanceof Found.Interrupted) {
      mode = ScriptPlan.Mode.RESUME;
    }
    ScriptPlan plan =
        new ScriptPlan(
            mode,
            operation.subject(),
            operation.lane().completion(),
            seen,
            () -> journal.intent(operation),
            journal);
    return new Script(operation, plan, entries);
  }

  /**
   * The end of an interrupted operation, as the verdict wants it: it has succeeded when the outcome
   * is applied (forward) or reverted (backward).
   *
   * @param entries of the old event, planned as interrupted
   */
  public Cursor<OperationReport> recovery(
      Operation operation,
      Intent intent,
      boolean forward,
      List<TxnEntry> entries,
      Journal journal) {
    checkRunning(operation);
    JournalState seen = operation.loaded().journal();
    OpenRecord open =
        seen.interrupted()
            .filter(record -> record.transaction().equals(intent.transaction()))
            .orElseThrow(() -> new IllegalStateException("no such intent is open: " + intent));
    ScriptPlan plan =
        new ScriptPlan(
            forward ? ScriptPlan.Mode.RESUME : ScriptPlan.Mode.UNDO,
            operation.subject(),
            open.completion(),
            seen,
            () -> Journal.continued(open, seen.epoch()),
            journal);
    return new Script(operation, plan, entries);
  }

  /**
   * END: gives the locks back and keeps the back-off's book, in which only failures of executed
   * steps count (JT-12). When the report is unfinished everything stays held until it is called
   * again with the final one (JT-4).
   */
  public void end(Operation operation, OperationReport report, Instant now) {
    if (report.outcome() == TransactionOutcome.UNFINISHED || !numbers.containsKey(operation)) {
      return;
    }
    BackOff.Spot spot = BackOff.Spot.of(operation.lane());
    boolean executed =
        report.steps().stream()
            .anyMatch(
                step ->
                    step.act() == StepRecord.Act.FAILED
                        || step.act() == StepRecord.Act.UNDO_FAILED);
    if (report.outcome() == TransactionOutcome.APPLIED) {
      backOff.succeeded(spot);
    } else if (executed && report.outcome() != TransactionOutcome.REJECTED) {
      backOff.failed(spot, operation.lane().kind(), now, report.failures().get(0));
    }
    abandon(operation);
  }

  /** Gives the locks back, and nothing else; the second time nothing happens. */
  public void abandon(Operation operation) {
    Long number = numbers.remove(operation);
    if (number == null) {
      return;
    }
    running.remove(number);
    bySubject.remove(operation.lane().subject(), operation);
    bySubject.remove(operation.subject(), operation);
    for (Operation other : running.values()) {
      other.changed(operation.lease().keys());
      other.changed(List.of(whole(operation.subject())));
    }
    locks.release(operation.lease());
  }

  /** A subject as a lock: its journal has been written. */
  private static LockKey whole(String subject) {
    return LockKey.of(subject, LockMode.EXCLUSIVE);
  }

  /** The operations between ADMIT and END, oldest first. Any thread; a snapshot. */
  public List<OperationExecutor.Pending> pending() {
    return running.values().stream().map(Operation::pending).toList();
  }

  /** Whether an operation holds that id. Any thread. */
  public boolean isPending(String lockId) {
    return running.values().stream()
        .anyMatch(op -> op.held().stream().anyMatch(key -> key.id().equals(lockId)));
  }

  /** The locks that are held, those of the oldest operation first. Any thread; a snapshot. */
  public List<OperationExecutor.Held> locks() {
    List<OperationExecutor.Held> locks = new ArrayList<>();
    for (Operation operation : running.values()) {
      OperationExecutor.Pending holder = operation.pending();
      operation.held().forEach(key -> locks.add(new OperationExecutor.Held(key, holder)));
    }
    return List.copyOf(locks);
  }

  /** The failures that are remembered, oldest first. Any thread; a snapshot. */
  public List<OperationExecutor.Failed> backOff() {
    return backOff.entries();
  }

  /** Whether the back-off would let an operation run now. Any thread; no side effect. */
  public boolean isSafeToRetry(String subject, String kind, Instant now) {
    return backOff.check(new BackOff.Spot(subject, ""), kind, now).isEmpty();
  }

  private void checkRunning(Operation operation) {
    if (!numbers.containsKey(operation)) {
      throw new IllegalStateException("it has ended: " + operation);
    }
  }
}
