package dev.evenkeel.controller.core;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.Direction;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.ResyncEvent;
import dev.evenkeel.api.event.TransactionType;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.Found;
import dev.evenkeel.api.loop.EventId;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.HandlerRecord;
import dev.evenkeel.api.txn.Results;
import dev.evenkeel.api.txn.StepRecord;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueReader;
import dev.evenkeel.txn.TxnCollector;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One event on its way through the loop, from acceptance to its outcome. Core's thread only. */
final class EventRun {
  private static final Found NEW = new Found.New();

  // What it is from the beginning.
  LoopInput.Submitted submitted;
  Optional<Long> parent;
  int depth;
  Optional<Failure> fault;
  Secrets secrets;
  private EventMethod method;
  private String typeName;
  private Lane.@Nullable Operation lane;
  private TransactionType type;

  /** Asked often, and slow to find out: that something is no instance of an interface. */
  private boolean resync;

  // What becomes of it.

  /** Something may hold it beyond its turn, so it is not used again. */
  boolean kept;

  long sequence = -1;
  Instant begun = Instant.EPOCH;

  /** Of which leadership it is: counts those that were lost before it began. */
  int term;

  /** What its calls are fenced with to the end, whoever has led meanwhile (JT-14). */
  Epoch epoch = Epoch.NONE;

  boolean taken;
  boolean answered;

  /** Where it waits in the queue; negative while it does not. */
  long place = -1;

  /** Those that it has superseded. */
  @Nullable Superseded superseded;

  /** The event that ran in its place. */
  @Nullable EventId supersededBy;

  List<EventHandler> selected = List.of();
  List<String> chain = List.of();
  final List<EventHandler> succeeded = new ArrayList<>();
  final Set<String> failedHandlers = new LinkedHashSet<>();
  final List<HandlerRecord> calls = new ArrayList<>();
  final List<Failure> failures = new ArrayList<>();
  final List<String> changes = new ArrayList<>();

  /** What a verification has found to be different in the handlers. */
  final List<Failure> differences = new ArrayList<>();

  final List<StepRecord> recoverySteps = new ArrayList<>();

  final UndoLog undo = new UndoLog();
  final List<Event> followUps = new ArrayList<>();
  final List<Scheduled> scheduled = new ArrayList<>();
  @Nullable Function<Results, ?> answer;
  @Nullable String answerBy;

  @Nullable TxnCollector txn;

  /** The one of the event before, which needs it no more. */
  private @Nullable TxnCollector spare;

  /** What its handlers may do besides while an operation is planned. */
  EventTurn.@Nullable Planning planning;

  Found found = NEW;

  /** Id of its transaction, where that is not the event's own. */
  @Nullable String transactionId;

  Optional<TransactionResult> transaction = Optional.empty();
  @Nullable String outcome;
  Instant ended = Instant.EPOCH;

  /** How far the handlers got. */
  Stop stop = Stop.NONE;

  TimerQueue.@Nullable Timer deadline;
  private @Nullable String description;

  /** What must happen when the event has ended, whatever happened. */
  @Nullable Runnable whenDone;

  /** Why the handlers were stopped. */
  enum Stop {
    /** They were not. */
    NONE,
    /** One failed, and the event is all or nothing. */
    FAILED,
    /** One aborted the event. */
    ABORTED,
    /** One was refused a lock. */
    REFUSED,
    /** One stopped the loop. */
    FATAL
  }

  /** An event to be pushed later. */
  record Scheduled(Duration delay, Event event) {}

  EventRun(LoopInput.Submitted submitted, Optional<Long> parent, int depth) {
    this.submitted = submitted;
    this.parent = parent;
    this.depth = depth;
    Said said = Said.by(submitted);
    this.fault = said.fault();
    this.method = said.method();
    this.typeName = said.typeName();
    this.secrets = said.secrets();
    EventSpec spec = submitted.said();
    this.lane = spec != null && spec.lane() instanceof Lane.Operation operation ? operation : null;
    this.type = spec == null ? TransactionType.BEST_EFFORT : spec.transaction();
    this.resync = spec == null && submitted.event() instanceof ResyncEvent;
  }

  /** Whether nothing holds it any more. */
  boolean isOver() {
    return answered
        && !kept
        && !isResync()
        && lane == null
        && deadline == null
        && place < 0
        && superseded == null
        && whenDone == null;
  }

  /**
   * The same object for another pushed event, once the one before is over: most events come and go
   * in one turn, and need not leave a dozen objects behind each. Whatever is added above is put
   * back here; a test looks at every field.
   */
  EventRun again(LoopInput.Submitted next) {
    submitted = next;
    parent = Optional.empty();
    depth = 0;
    Said said = Said.by(next);
    fault = said.fault();
    method = said.method();
    typeName = said.typeName();
    secrets = said.secrets();
    EventSpec spec = next.said();
    lane = spec != null && spec.lane() instanceof Lane.Operation operation ? operation : null;
    type = spec == null ? TransactionType.BEST_EFFORT : spec.transaction();
    resync = spec == null && next.event() instanceof ResyncEvent;
    return this;
  }

  /** Forgets all that has become of the event before. */
  void clear() {
    kept = false;
    sequence = -1;
    begun = Instant.EPOCH;
    term = 0;
    epoch = Epoch.NONE;
    taken = false;
    answered = false;
    place = -1;
    superseded = null;
    supersededBy = null;
    selected = List.of();
    chain = List.of();
    succeeded.clear();
    failedHandlers.clear();
    calls.clear();
    failures.clear();
    changes.clear();
    differences.clear();
    recoverySteps.clear();
    undo.forget();
    followUps.clear();
    scheduled.clear();
    answer = null;
    answerBy = null;
    spare = txn == null ? spare : txn;
    txn = null;
    planning = null;
    found = NEW;
    transactionId = null;
    transaction = Optional.empty();
    outcome = null;
    ended = Instant.EPOCH;
    stop = Stop.NONE;
    deadline = null;
    description = null;
    whenDone = null;
  }

  /** What an event says of itself; asked once, since users' code may answer otherwise again. */
  private record Said(
      Optional<Failure> fault, EventMethod method, String typeName, Secrets secrets) {
    static Said by(LoopInput.Submitted submitted) {
      Event event = submitted.event();
      Optional<Failure> fault = submitted.fault();
      if (fault.isEmpty()) {
        try {
          Secrets secrets = event instanceof UpdateEvent update ? update.secrets() : Secrets.NONE;
          return new Said(
              fault,
              Objects.requireNonNull(event.method(), "method"),
              event.type().name(),
              Objects.requireNonNull(secrets, "secrets"));
        } catch (RuntimeException | Error thrown) {
          fault = Optional.of(LoopInput.Submitted.askingFailed(thrown));
        }
      }
      return new Said(fault, EventMethod.UPDATE, event.getClass().getSimpleName(), Secrets.NONE);
    }
  }

  EventId id() {
    return submitted.id();
  }

  String transactionId() {
    return transactionId == null ? id().toString() : transactionId;
  }

  Event event() {
    return submitted.event();
  }

  boolean isResync() {
    return resync;
  }

  Optional<EventSpec> spec() {
    return Optional.ofNullable(submitted.said());
  }

  TransactionType type() {
    return type;
  }

  boolean reverts() {
    return type == TransactionType.REVERT_ON_FAILURE || lane != null;
  }

  boolean isReverse() {
    EventSpec spec = submitted.said();
    return spec != null && spec.direction() == Direction.REVERSE;
  }

  /** What the event declares as an operation; null for serial ones. */
  Lane.@Nullable Operation lane() {
    return lane;
  }

  TxnCollector txn() {
    if (txn == null) {
      throw new IllegalStateException("event " + id() + " has no transaction");
    }
    return txn;
  }

  /** Begins a new serial transaction. */
  void txn(TxnCollector.Mode mode, ValueReader committed) {
    txn = spare == null ? new TxnCollector(mode, committed) : spare.again(mode, committed);
    spare = null;
  }

  /** Begins a new transaction, forgetting what an earlier plan wanted. */
  void txn(TxnCollector fresh) {
    txn = fresh;
  }

  EventMethod method() {
    return method;
  }

  String typeName() {
    return typeName;
  }

  /** The event's words; an event that cannot say them is its own fault, not the loop's. */
  private String description() {
    String known = description;
    if (known == null) {
      try {
        known = String.valueOf(event().describe());
      } catch (RuntimeException | Error thrown) {
        known = "(its description failed: " + thrown.getClass().getSimpleName() + ")";
      }
      description = known;
    }
    EventId by = supersededBy;
    return by == null ? known : known + " (superseded by event " + by + ")";
  }

  EventRecord record() {
    return new EventRecord(
        sequence,
        id(),
        parent,
        typeName(),
        description(),
        method(),
        submitted.pushed(),
        begun,
        outcome == null ? Optional.empty() : Optional.of(ended),
        chain,
        calls,
        transaction,
        Optional.ofNullable(outcome),
        failures);
  }
}
