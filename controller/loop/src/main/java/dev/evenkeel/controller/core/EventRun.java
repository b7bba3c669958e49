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
import dev.evenkeel.api.txn.Results;
import dev.evenkeel.api.txn.StepRecord;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueReader;
import dev.evenkeel.txn.TxnCollector;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One event on its way through the loop, from acceptance to its outcome. Core's thread only.
 *
 * <p>The object is used again for the next event, so it is old, and what is stored into it is new:
 * the collectors make the thread pay for each such reference. So nothing is stored that is there
 * already, and what only means something together with a flag stays where it is.
 */
final class EventRun implements EndedEvent {
  static final long NEVER = Long.MIN_VALUE;

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

  /** Together with the number above. */
  private Instant begun = Instant.EPOCH;

  /** The same by the stopwatch, which runs only when somebody counts. */
  long begunNanos = NEVER;

  /** When the last call of a handler was over, by the stopwatch. */
  long lastNanos = NEVER;

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

  private boolean chosen;
  private List<EventHandler> selected = List.of();
  private List<String> chain = List.of();

  /** By their places among the selected. */
  final BitSet succeeded = new BitSet();

  final Set<String> failedHandlers = new LinkedHashSet<>();
  final Calls calls = new Calls();
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

  private boolean hasTxn;
  private @Nullable TxnCollector txn;

  /** What its handlers may do besides while an operation is planned. */
  EventTurn.@Nullable Planning planning;

  Found found = NEW;

  /** Id of its transaction, where that is not the event's own. */
  @Nullable String transactionId;

  Optional<TransactionResult> transaction = Optional.empty();

  // Together with the flag that it is answered.
  private @Nullable String outcome;
  private Instant ended = Instant.EPOCH;

  /** How far the handlers got. */
  Stop stop = Stop.NONE;

  TimerQueue.@Nullable Timer deadline;

  /** The event's own words, once it was asked for them. */
  private @Nullable String description;

  private boolean described;

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
  @SuppressWarnings("ReferenceEquality") // the same object need not be stored again
  EventRun again(LoopInput.Submitted next) {
    submitted = next;
    if (parent.isPresent()) {
      parent = Optional.empty();
    }
    depth = 0;
    Said said = Said.by(next);
    if (fault.isPresent() || said.fault().isPresent()) {
      fault = said.fault();
    }
    if (method != said.method()) {
      method = said.method();
    }
    if (typeName != said.typeName()) {
      typeName = said.typeName();
    }
    if (secrets != said.secrets()) {
      secrets = said.secrets();
    }
    EventSpec spec = next.said();
    lane = spec != null && spec.lane() instanceof Lane.Operation operation ? operation : null;
    TransactionType nextType = spec == null ? TransactionType.BEST_EFFORT : spec.transaction();
    if (type != nextType) {
      type = nextType;
    }
    resync = spec == null && next.event() instanceof ResyncEvent;
    return this;
  }

  /** Forgets all that has become of the event before. */
  @SuppressWarnings("ReferenceEquality") // the same object need not be stored again
  void clear() {
    kept = false;
    sequence = -1;
    begunNanos = NEVER;
    lastNanos = NEVER;
    term = 0;
    if (!epoch.equals(Epoch.NONE)) {
      epoch = Epoch.NONE;
    }
    taken = false;
    answered = false;
    place = -1;
    superseded = null;
    supersededBy = null;
    chosen = false;
    succeeded.clear();
    empty(failedHandlers);
    calls.clear();
    empty(failures);
    empty(changes);
    empty(differences);
    empty(recoverySteps);
    undo.forget();
    empty(followUps);
    empty(scheduled);
    answer = null;
    answerBy = null;
    hasTxn = false;
    planning = null;
    if (found != NEW) {
      found = NEW;
    }
    transactionId = null;
    if (transaction.isPresent()) {
      transaction = Optional.empty();
    }
    if (stop != Stop.NONE) {
      stop = Stop.NONE;
    }
    deadline = null;
    described = false;
    whenDone = null;
  }

  private static void empty(Collection<?> collection) {
    if (!collection.isEmpty()) {
      collection.clear();
    }
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

  /** Its first turn begins. */
  @SuppressWarnings("ReferenceEquality") // the same object need not be stored again
  void begins(long number, Instant now) {
    sequence = number;
    if (begun != now) {
      begun = now;
    }
  }

  /** It is answered. */
  @SuppressWarnings("ReferenceEquality") // the same object need not be stored again
  void ends(String word, Instant now) {
    answered = true;
    if (outcome != word) {
      outcome = word;
    }
    if (ended != now) {
      ended = now;
    }
  }

  /** The handlers that take part, with their names; lists that do not change any more. */
  @SuppressWarnings("ReferenceEquality") // the same object need not be stored again
  void choose(List<EventHandler> handlers, List<String> names) {
    chosen = true;
    if (selected != handlers || chain != names) {
      selected = handlers;
      chain = names;
    }
  }

  List<EventHandler> selected() {
    return chosen ? selected : List.of();
  }

  List<String> chain() {
    return chosen ? chain : List.of();
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

  /** Whether it has a transaction by now. */
  boolean hasTxn() {
    return hasTxn;
  }

  TxnCollector txn() {
    if (!hasTxn || txn == null) {
      throw new IllegalStateException("event " + id() + " has no transaction");
    }
    return txn;
  }

  /** Begins a new serial transaction. */
  void txn(TxnCollector.Mode mode, ValueReader committed) {
    if (txn == null) {
      txn = new TxnCollector(mode, committed);
    } else {
      txn = txn.again(mode, committed);
    }
    hasTxn = true;
  }

  /** Begins a new transaction, forgetting what an earlier plan wanted. */
  void txn(TxnCollector fresh) {
    txn = fresh;
    hasTxn = true;
  }

  @Override
  public long sequence() {
    return sequence;
  }

  @Override
  public EventMethod method() {
    return method;
  }

  @Override
  public String typeName() {
    return typeName;
  }

  @Override
  public Instant begun() {
    return begun;
  }

  @Override
  public Instant ended() {
    return answered ? ended : Instant.EPOCH;
  }

  @Override
  public long tookNanos() {
    return begunNanos == NEVER ? -1 : Math.max(0, lastNanos - begunNanos);
  }

  @Override
  public String word() {
    String word = outcome;
    return answered && word != null ? word : "";
  }

  @Override
  public List<Failure> failures() {
    return failures;
  }

  @Override
  public Optional<TransactionResult> transaction() {
    return transaction;
  }

  @Override
  public int calls() {
    return calls.size();
  }

  @Override
  public String handler(int call) {
    return calls.handler(chain(), call);
  }

  @Override
  public long nanos(int call) {
    return calls.nanos(call);
  }

  @Override
  public boolean failed(int call) {
    return calls.failed(call);
  }

  /** The event's words; an event that cannot say them is its own fault, not the loop's. */
  String description() {
    String known = described ? description : null;
    if (known == null) {
      known = words();
      described = true;
      if (!known.equals(description)) {
        description = known;
      }
    }
    EventId by = supersededBy;
    return by == null ? known : known + " (superseded by event " + by + ")";
  }

  private String words() {
    try {
      return String.valueOf(event().describe());
    } catch (RuntimeException | Error thrown) {
      return "(its description failed: " + thrown.getClass().getSimpleName() + ")";
    }
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
        answered ? Optional.of(ended) : Optional.empty(),
        chain(),
        calls.list(chain()),
        transaction,
        answered ? Optional.ofNullable(outcome) : Optional.empty(),
        failures);
  }
}
