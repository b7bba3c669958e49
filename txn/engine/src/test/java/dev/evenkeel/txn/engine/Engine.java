package dev.evenkeel.txn.engine;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.Secret;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.event.Notification;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.ObserveValues;
import dev.evenkeel.api.txn.ObservedValues;
import dev.evenkeel.api.txn.OperationFlag;
import dev.evenkeel.api.txn.OperationRecord;
import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.txn.Results;
import dev.evenkeel.api.txn.RetryPolicy;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.api.txn.ValueStatus;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.ActionOutcome;
import dev.evenkeel.txn.Cursor;
import dev.evenkeel.txn.TxnEntry;
import dev.evenkeel.txn.history.HistoryOptions;
import dev.evenkeel.txn.mailbox.Box;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An engine, and a driver that makes its calls on the test's own thread. */
final class Engine {
  static final Instant NOW = Instant.EPOCH;

  /** The time that transactions are told. */
  Instant now = NOW;

  /** In the order in which the scenarios write them. */
  private static final List<OperationFlag> FLAGS =
      List.of(
          OperationFlag.DERIVED,
          OperationFlag.PROPERTY,
          OperationFlag.NOOP,
          OperationFlag.REVERT,
          OperationFlag.RETRY,
          OperationFlag.RECREATE);

  /** Whether engines are driven by the mailbox, on its thread; set by {@link OnMailbox}. */
  static final ThreadLocal<@Nullable List<Box>> BOXES = new ThreadLocal<>();

  final SouthBound outside;
  final EngineCore core;

  /** What drives it, if not this. */
  private final @Nullable Box box;

  /** Calls such as {@code create a/1} that do not return. */
  final List<String> hanging = new ArrayList<>();

  /** How many more calls that change something return before one hangs; negative for all. */
  int hangAfter = -1;

  /** Those that have not. */
  final List<Action> hung = new ArrayList<>();

  Predicate<String> frozen = path -> false;
  Set<String> keepOwners = Set.of();
  Optional<RetryPolicy> retry = Optional.empty();

  Engine(Function<SouthBound, List<? extends Descriptor<?, ?>>> descriptors) {
    this(new SouthBound(), descriptors);
  }

  /** A restart: a new engine over what is there. */
  Engine(SouthBound outside, Function<SouthBound, List<? extends Descriptor<?, ?>>> descriptors) {
    this(outside, descriptors, HistoryOptions.standard());
  }

  Engine(
      SouthBound outside,
      Function<SouthBound, List<? extends Descriptor<?, ?>>> descriptors,
      HistoryOptions options) {
    this(outside, descriptors, EngineSettings.defaults().with(options));
  }

  Engine(
      SouthBound outside,
      Function<SouthBound, List<? extends Descriptor<?, ?>>> descriptors,
      EngineSettings settings) {
    this.outside = outside;
    List<? extends Descriptor<?, ?>> made = descriptors.apply(outside);
    core = new EngineCore(made, settings);
    List<Box> boxes = BOXES.get();
    box = boxes == null ? null : new Box(core, made, settings, new Plan());
    if (boxes != null) {
      boxes.add(box);
    }
  }

  private final class Plan implements Box.Plan {
    @Override
    public boolean hangs(Action action) {
      return Engine.this.hangs(action);
    }

    @Override
    public boolean isFrozen(String path) {
      return frozen.test(path);
    }
  }

  /** What goes into a transaction: {@code put}, {@code delete}, {@code step}. */
  static TxnEntry put(String path, String... items) {
    return owned("h", path, items);
  }

  static TxnEntry owned(String owner, String path, String... items) {
    return new TxnEntry.Put<>(owner, Val.key(path), Val.list(items));
  }

  static TxnEntry delete(String path) {
    return new TxnEntry.Delete("h", Val.key(path));
  }

  static TxnEntry step(Step<?> step) {
    return new TxnEntry.Act("h", step);
  }

  TransactionResult update(TxnEntry... entries) {
    return run(c -> c.begin(txn(EventMethod.UPDATE, false, entries)));
  }

  TransactionResult reverting(TxnEntry... entries) {
    return run(c -> c.begin(txn(EventMethod.UPDATE, true, entries)));
  }

  TransactionResult full(TxnEntry... entries) {
    return run(c -> c.begin(txn(EventMethod.FULL_RESYNC, false, entries)));
  }

  TransactionResult upstream(TxnEntry... entries) {
    return run(c -> c.begin(txn(EventMethod.UPSTREAM_RESYNC, false, entries)));
  }

  TransactionResult downstream() {
    return run(c -> c.begin(txn(EventMethod.DOWNSTREAM_RESYNC, false)));
  }

  /** The outside says that a value is there. */
  TransactionResult says(String path, String... items) {
    return notify(path, Optional.of(Val.list(items)));
  }

  /** The outside says that a value is there, and its metadata. */
  TransactionResult says(int metadata, String path, String... items) {
    TreeMap<Key<?>, Optional<Object>> values = new TreeMap<>();
    values.put(Val.key(path), Optional.of(Val.list(items)));
    TreeMap<Key<?>, Optional<Object>> known = new TreeMap<>();
    known.put(Val.key(path), Optional.of(metadata));
    return run(c -> c.beginNotification(new Notification(values, known), frozen, now));
  }

  /** The outside says that a value has gone. */
  TransactionResult saysGone(String path) {
    return notify(path, Optional.empty());
  }

  private TransactionResult notify(String path, Optional<Object> value) {
    TreeMap<Key<?>, Optional<Object>> values = new TreeMap<>();
    values.put(Val.key(path), value);
    return run(c -> c.beginNotification(new Notification(values), frozen, now));
  }

  EngineTransaction txn(EventMethod method, boolean revert, TxnEntry... entries) {
    return new EngineTransaction(
        method, revert, "test", Arrays.asList(entries), keepOwners, frozen, retry, now);
  }

  /** A dry run of what begins so. */
  TransactionResult dry(Supplier<Cursor<TransactionResult>> begin) {
    return run(c -> c.dryRun(begin));
  }

  TransactionResult dry(EventMethod method, boolean revert, TxnEntry... entries) {
    return dry(() -> core.begin(txn(method, revert, entries)));
  }

  /** What is not acceptable does not get into the mailbox's queue either. */
  TransactionResult begin(EngineTransaction txn) {
    return EngineCore.refusal(txn).isPresent() ? runHere(core.begin(txn)) : run(c -> c.begin(txn));
  }

  /** Begins something, and runs it to its end. */
  TransactionResult run(Function<EngineCore, Cursor<TransactionResult>> begin) {
    if (box != null) {
      return box.run(begin);
    }
    return runHere(begin.apply(core));
  }

  /** Runs to its end what has begun. */
  TransactionResult run(Cursor<TransactionResult> cursor) {
    return box == null ? runHere(cursor) : box.run(c -> cursor);
  }

  /** What is really there. */
  ObservedValues observe(ObserveValues asked) {
    return box == null ? driveHere(core.beginObservation(asked)) : box.observe(asked);
  }

  private <R> R driveHere(Cursor<R> cursor) {
    Cursor.Next<R> next = cursor.next(new ActionOutcome.Start());
    while (next instanceof Cursor.Next.Act<R> act) {
      next = cursor.next(outcome(act.action(), cursor.results()));
    }
    return ((Cursor.Next.End<R>) next).result();
  }

  private TransactionResult runHere(Cursor<TransactionResult> cursor) {
    TransactionResult result = driveHere(cursor);
    core.stopped(result.number(), now.plusMillis(5));
    return result;
  }

  private boolean hangs(Action action) {
    String call =
        action.kind().name().toLowerCase(java.util.Locale.ROOT)
            + " "
            + (action.target().startsWith("/") ? action.target().substring(1) : action.target());
    boolean changes = action.kind() != Action.Kind.RETRIEVE;
    return hanging.contains(call) || (changes && hangAfter >= 0 && hangAfter-- == 0);
  }

  private ActionOutcome outcome(Action action, Results results) {
    if (hangs(action)) {
      hung.add(action);
      return new ActionOutcome.TimedOut(Duration.ofSeconds(1));
    }
    try {
      return new ActionOutcome.Done(action.run(new Context(results)), Duration.ZERO);
    } catch (Exception | StackOverflowError thrown) {
      return new ActionOutcome.Failed(thrown, Duration.ZERO);
    }
  }

  /** The hanging call returns after all: it is made only now. */
  TransactionResult returns() {
    if (box != null) {
      hanging.clear();
      return box.returns();
    }
    Action action = hung.remove(0);
    hanging.clear();
    ActionOutcome outcome =
        outcome(
            action,
            new Results() {
              @Override
              public <T> T get(Ref<T> ref) {
                throw new IllegalStateException("none");
              }
            });
    return run(c -> c.beginReturned(action, outcome, frozen, now));
  }

  /** Lets time pass; gives the retries that were due on the way, each with its milliseconds. */
  List<Retried> pass(long millis) {
    Instant end = now.plusMillis(millis);
    List<Retried> done = new ArrayList<>();
    if (box != null) {
      now = end;
      box.passTo(end).forEach(own -> done.add(Retried.of(own)));
      return done;
    }
    Optional<PlannedRetry> next = core.nextRetry(frozen, now);
    while (next.isPresent() && !next.get().due().isAfter(end)) {
      PlannedRetry retry = next.get();
      if (retry.due().isAfter(now)) {
        now = retry.due();
      } else {
        long at = Duration.between(NOW, now).toMillis();
        done.add(new Retried(at, retry, run(c -> c.beginRetry(frozen, now))));
      }
      next = core.nextRetry(frozen, now);
    }
    now = end;
    return done;
  }

  /** A retry that was due. */
  record Retried(long at, PlannedRetry planned, TransactionResult result) {
    static Retried of(Box.Own own) {
      return new Retried(
          Duration.between(NOW, own.at()).toMillis(), own.retry().orElseThrow(), own.result());
    }

    String line() {
      return at
          + " #"
          + result.number()
          + " for "
          + planned.original()
          + "/"
          + planned.attempt()
          + " "
          + ops(result);
    }
  }

  TransactionResult settle() {
    return run(c -> c.beginDirty(frozen, now));
  }

  // ---- looking ---------------------------------------------------------------------------------

  ValueStatus status(String path) {
    return core.values().status(Val.key(path));
  }

  ValueState state(String path) {
    return status(path).state();
  }

  Optional<Integer> metadata(String path) {
    return core.values().metadata(Val.key(path), Integer.class);
  }

  /** Operations as lines such as {@code C a/1/i2 NE>CF der noop}. */
  static List<String> ops(TransactionResult result) {
    return result.operations().stream().map(Engine::line).toList();
  }

  private static String line(OperationRecord operation) {
    String flags =
        FLAGS.stream()
            .filter(operation.flags()::contains)
            .map(Engine::flag)
            .collect(Collectors.joining(" "));
    return (operation.operation().name().charAt(0)
            + " "
            + operation.key().substring(1)
            + " "
            + letters(operation.before())
            + ">"
            + letters(operation.after())
            + (flags.isEmpty() ? "" : " " + flags)
            + (operation.failure().isPresent() ? " err" : ""))
        .trim();
  }

  static String letters(ValueState state) {
    return switch (state) {
      case NONEXISTENT -> "NE";
      case CONFIGURED -> "CF";
      case OBTAINED -> "OB";
      case DISCOVERED -> "DI";
      case PENDING -> "PD";
      case INVALID -> "IV";
      case FAILED -> "FA";
      case RETRYING -> "RT";
      case MISSING -> "MI";
      case UNIMPLEMENTED -> "UI";
      case REMOVED -> "RM";
      case UNKNOWN -> "UN";
    };
  }

  private static String flag(OperationFlag flag) {
    return switch (flag) {
      case NOOP -> "noop";
      case DERIVED -> "der";
      case PROPERTY -> "prop";
      case REVERT -> "rev";
      case RETRY -> "retry";
      case RECREATE -> "recr";
    };
  }

  /** Failures as lines such as {@code h create a/3}. */
  static List<String> failures(TransactionResult result) {
    return result.failures().stream()
        .map(
            f ->
                f.owner() + " " + f.operation() + f.key().map(k -> " " + k.substring(1)).orElse(""))
        .toList();
  }

  /** Steps as lines such as {@code DONE image}. */
  static List<String> steps(TransactionResult result) {
    return result.steps().stream().map(s -> s.act() + " " + s.name()).toList();
  }

  private record Context(Results results) implements StepContext {
    @Override
    public <T> T get(Ref<T> ref) {
      return results.get(ref);
    }

    @Override
    public Secret secret(String name) {
      throw new IllegalStateException("no secrets here");
    }

    @Override
    public void checkReadable() {}

    @Override
    public Instant deadline() {
      return NOW.plusSeconds(1);
    }

    @Override
    public boolean cancelled() {
      return false;
    }

    @Override
    public Epoch epoch() {
      return Epoch.NONE;
    }

    @Override
    public String transaction() {
      return "t";
    }
  }
}
