package dev.evenkeel.txn.engine;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.event.Notification;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.EngineStatistics;
import dev.evenkeel.api.txn.ObserveValues;
import dev.evenkeel.api.txn.ObservedValues;
import dev.evenkeel.api.txn.Origin;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.TransactionHistory;
import dev.evenkeel.api.txn.TransactionKind;
import dev.evenkeel.api.txn.TransactionRecord.RetryOf;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueReader;
import dev.evenkeel.api.txn.ValueStatus;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.ActionOutcome;
import dev.evenkeel.txn.Cursor;
import dev.evenkeel.txn.TxnEntry;
import dev.evenkeel.txn.engine.Transaction.Wish;
import dev.evenkeel.txn.history.Begun;
import dev.evenkeel.txn.history.EngineHistory;
import dev.evenkeel.txn.history.HistoryOptions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The transaction engine as a state machine without thread, clock and I/O (rule 0): a transaction
 * is a cursor that gives the calls to be made and takes their outcomes. Loop thread only, but for
 * the reader that {@link #values()} gives. One transaction at a time: beginning one before the last
 * has ended throws {@link IllegalStateException}.
 */
public final class EngineCore {
  private volatile List<Bound<?, ?>> inOrder;
  private final Graph graph;
  private final @Nullable EngineHistory history;
  private final Hangs hangs = new Hangs();
  private final TreeMap<String, Key<?>> dirty = new TreeMap<>();
  private volatile Snapshot snapshot = Snapshot.empty();
  private @Nullable Transaction running;
  private boolean resynced;
  private boolean observing;
  private boolean dry;

  /** The dry run is part of a transaction, and has neither number nor record of its own. */
  private boolean quiet;

  private Instant began = Instant.EPOCH;
  private final Statistics statistics = new Statistics();
  private final BiConsumer<Action, ActionOutcome> called = statistics::called;
  private final Retries retries;
  private final EngineSettings settings;
  private long nextNumber;

  /**
   * An engine without values, and without a history.
   *
   * @throws dev.evenkeel.api.InvalidInputException when two descriptors share a name or keys, or
   *     wait for each other with retrieving
   */
  public EngineCore(List<? extends Descriptor<?, ?>> descriptors) {
    this(descriptors, EngineSettings.defaults());
  }

  /**
   * An engine without values.
   *
   * @param options what its history keeps
   * @throws dev.evenkeel.api.InvalidInputException when two descriptors share a name or keys, or
   *     wait for each other with retrieving
   */
  public EngineCore(List<? extends Descriptor<?, ?>> descriptors, HistoryOptions options) {
    this(descriptors, EngineSettings.defaults().with(options));
  }

  /** The same, with all settings. */
  public EngineCore(List<? extends Descriptor<?, ?>> descriptors, EngineSettings settings) {
    this.settings = settings;
    history = settings.history().recording() ? new EngineHistory(settings.history()) : null;
    inOrder = Register.inOrder(descriptors);
    graph = new Graph(inOrder);
    retries = new Retries(graph, settings.budget(), dirty);
  }

  /**
   * Begins a transaction. What cannot be accepted ends at once as rejected: a resync that reverts
   * or that has steps or deletes, and a downstream resync with values.
   */
  public Cursor<TransactionResult> begin(EngineTransaction txn) {
    Optional<String> reason = Segments.reject(txn);
    if (reason.isPresent()) {
      return new Rejected(reason.get());
    }
    if (isMet(txn)) {
      return met(txn);
    }
    Work work = work(txn.frozen());
    Transaction transaction = transaction(work, txn.revertOnFailure(), isResync(txn));
    begun(work, TransactionKind.REQUEST, txn.method(), txn.description(), txn.now());
    if (isResync(txn)) {
      resync(work, transaction, txn);
    } else {
      update(work, transaction, txn);
    }
    return transaction;
  }

  /**
   * Begins to take over what the outside says of values of its own. Keys that the controller
   * manages and keys without a descriptor are left alone.
   *
   * @param frozen what must be left alone; it becomes dirty
   * @param now when it begins
   */
  public Cursor<TransactionResult> beginNotification(
      Notification notification, Predicate<String> frozen, Instant now) {
    Work work = work(frozen);
    Transaction transaction = transaction(work, false, false);
    begun(work, TransactionKind.NOTIFICATION, EventMethod.UPDATE, "the outside has changed", now);
    if (history != null) {
      history.values(Origin.SOUTH, told(notification));
    }
    List<Map.Entry<Key<?>, Optional<Object>>> ordered =
        new ArrayList<>(notification.values().entrySet());
    ordered.sort(
        Comparator.comparing(
            (Map.Entry<Key<?>, Optional<Object>> told) ->
                told.getValue().isEmpty() ? 0 : graph.find(told.getKey().path()) == null ? 1 : 2));
    List<Runnable> tasks = new ArrayList<>();
    ordered.forEach(
        told -> {
          Key<?> key = told.getKey();
          Object metadata =
              notification.metadata().getOrDefault(key, Optional.empty()).orElse(null);
          tasks.add(() -> transaction.told(key, told.getValue().orElse(null), metadata));
        });
    tasks.add(transaction::finish);
    work.agenda.next(tasks.toArray(Runnable[]::new));
    return transaction;
  }

  /**
   * Begins a dry run of what the given call of this engine begins: its result tells the operations
   * that would be done if every call succeeded (rule 56). Nothing is called but retrieves, and the
   * values are as before when it has ended. It has a number of its own. It costs what it touches.
   *
   * @param begin calls one of the other {@code begin} methods
   */
  public Cursor<TransactionResult> dryRun(Supplier<Cursor<TransactionResult>> begin) {
    idle();
    boolean before = resynced;
    dry = true;
    graph.rehearse();
    try {
      return begin.get();
    } finally {
      dry = false;
      resynced = before;
      if (running == null) {
        graph.forget();
      }
    }
  }

  /**
   * Begins what the given call of this engine begins, but plans it first: its record then holds the
   * plan beside what was done. Retrieves are made twice. The two have one number.
   *
   * @param begin calls one of the other {@code begin} methods; it is called twice
   */
  public Cursor<TransactionResult> planned(Supplier<Cursor<TransactionResult>> begin) {
    quiet = true;
    try {
      return new Planned(
          dryRun(begin),
          plan -> {
            Cursor<TransactionResult> execution = begin.get();
            if (history != null) {
              history.planned(plan);
            }
            return execution;
          });
    } finally {
      quiet = running != null;
    }
  }

  /**
   * A call whose limit had passed has returned after all (JT-4): its value is no longer frozen,
   * what it did is believed, and the transaction goes on with what is wanted of it by now. Of a
   * step nothing more is done here.
   *
   * @param action that had timed out in a transaction of this engine
   * @param outcome done or failed
   * @param frozen what must be left alone
   * @param now when it begins
   * @throws IllegalArgumentException when the action is not one that has timed out here
   */
  public Cursor<TransactionResult> beginReturned(
      Action action, ActionOutcome outcome, Predicate<String> frozen, Instant now) {
    Work work = work(frozen);
    Hangs.Hang hang =
        (dry ? hangs.find(action) : hangs.take(action))
            .orElseThrow(
                () -> new IllegalArgumentException("no such call hangs: " + action.target()));
    Transaction transaction = transaction(work, false, false);
    begun(work, TransactionKind.UPKEEP, EventMethod.UPDATE, "returned: " + action.target(), now);
    retries.release();
    Node node = hang.node();
    if (node != null && graph.holds(node)) {
      work.dirty.remove(node.root().path);
      node.hung = false;
      returned(node, hang.wanted(), action.kind(), outcome);
      Node root = node.root();
      work.agenda.next(
          () -> transaction.refresh().some(List.of(root)),
          () -> transaction.values().follow(node),
          () -> transaction.revisit(root),
          transaction::finish);
    }
    return transaction;
  }

  private void returned(
      Node node, @Nullable Object wanted, Action.Kind kind, ActionOutcome outcome) {
    if (outcome instanceof ActionOutcome.Failed failed) {
      node.failure =
          Failure.of(node.owner, "late return", failed.thrown()).about(node.path, node.root().path);
      node.hopeless = false; // what is wanted by now is tried at once
    } else if (outcome instanceof ActionOutcome.Done done) {
      if (kind == Action.Kind.DELETE) {
        node.absent();
        node.failure = null;
      } else if (wanted != null) {
        node.present(wanted, done.value(), Origin.NORTH);
      }
    }
    graph.settle(node);
    if (node.empty()) {
      graph.drop(node);
    }
  }

  /** Paths that transactions had to leave alone because they were frozen (JT-6, JT-7). */
  public SortedSet<String> dirty() {
    return Collections.unmodifiableSortedSet(new TreeSet<>(dirty.keySet()));
  }

  /** Begins to compare and repair the dirty paths that are no longer frozen. */
  public Cursor<TransactionResult> beginDirty(Predicate<String> frozen, Instant now) {
    retries.release();
    Work work = work(frozen);
    Transaction transaction = transaction(work, false, false);
    begun(work, TransactionKind.UPKEEP, EventMethod.UPDATE, "look at what was left alone", now);
    List<Node> nodes = new ArrayList<>();
    List<String> compared = new ArrayList<>();
    for (Key<?> key : List.copyOf(work.dirty.values())) {
      Node there = graph.find(key.path());
      String root = there == null ? key.path() : there.root().path;
      Bound<?, ?> bound = graph.bound(key);
      boolean hung = (bound != null && bound.hung) || (there != null && there.root().hung);
      if (!frozen.test(root) && !hung) {
        compared.add(key.path());
        nodes.add(there == null ? graph.base(key) : there.root());
      }
    }
    List<Runnable> tasks = new ArrayList<>();
    tasks.add(() -> transaction.refresh().some(nodes));
    nodes.forEach(node -> tasks.add(() -> transaction.values().follow(node)));
    nodes.forEach(node -> tasks.add(() -> transaction.revisit(node)));
    tasks.add(
        () -> compared.forEach(path -> work.dirty.remove(path))); // not when a call before has hung
    tasks.add(transaction::finish);
    work.agenda.next(tasks.toArray(Runnable[]::new));
    return transaction;
  }

  /**
   * Why a transaction would not be accepted, if it would not (rule 13). Any thread.
   *
   * @param txn that is about to be begun
   */
  public static Optional<String> refusal(EngineTransaction txn) {
    return Segments.reject(txn);
  }

  /**
   * What is wrong with values, without applying any: those that are not valid, with their fields
   * and with the derived values that are not (rule 63). Values without a descriptor are skipped.
   * Any thread.
   */
  public List<ValueStatus> validate(List<TxnEntry> entries) {
    return new Validation(inOrder).of(entries);
  }

  /**
   * The next transaction has this number, or the next free one if that is higher: for a driver that
   * gives the numbers when it queues.
   */
  public void number(long number) {
    nextNumber = Math.max(nextNumber, number);
  }

  /**
   * Begins to ask descriptors what is really there (rule 61). It is no transaction: it has no
   * number, and changes nothing; but none may run beside it.
   */
  public Cursor<ObservedValues> beginObservation(ObserveValues asked) {
    idle();
    observing = true;
    return new Observation(
        asked, inOrder, snapshot.entries(), hangs, called, () -> observing = false);
  }

  // ---- descriptors that come late --------------------------------------------------------------

  /**
   * Registers one more descriptor, and begins to apply what has waited for it (rule 11). If there
   * has been a full resync already, what is there is retrieved first; a retrieve that fails leaves
   * its values as they are until one succeeds (TW-9). Properties of its kind become values.
   *
   * @throws dev.evenkeel.api.InvalidInputException when its name or its keys are another's, or it
   *     waits with retrieving for one that is not registered; nothing has happened then
   */
  public Cursor<TransactionResult> beginRegister(
      Descriptor<?, ?> descriptor, Predicate<String> frozen, Instant now) {
    if (dry) {
      throw new IllegalStateException("registering cannot be rehearsed");
    }
    Work work = work(frozen);
    List<Bound<?, ?>> ordered = Register.with(inOrder, descriptor);
    inOrder = ordered;
    Bound<?, ?> bound =
        ordered.stream().filter(b -> b.descriptor() == descriptor).findFirst().orElseThrow();
    Transaction transaction = transaction(work, false, false);
    begun(
        work,
        TransactionKind.RETRY_UNIMPLEMENTED,
        EventMethod.UPDATE,
        "registered: " + bound.name(),
        now);
    Late late = new Late(work, transaction, bound);
    List<Runnable> tasks = new ArrayList<>(late.tasks(resynced));
    tasks.add(transaction::finish);
    work.agenda.next(tasks.toArray(Runnable[]::new));
    return transaction;
  }

  /** The prefixes of the keys that are described, ordered. Any thread. */
  public List<String> prefixes() {
    return inOrder.stream().map(bound -> bound.descriptor().type().prefix()).sorted().toList();
  }

  // ---- retry -----------------------------------------------------------------------------------

  /**
   * The next retry that can begin, now or later (rules 38 to 42). To be asked after each
   * transaction, and when the time has come that it told: the delays of what has failed since count
   * from the first time that it is asked.
   *
   * @param frozen what must be left alone: it becomes dirty if its retry is due
   * @param now the time
   */
  public Optional<PlannedRetry> nextRetry(Predicate<String> frozen, Instant now) {
    return retries
        .next(frozen, now)
        .map(
            group ->
                new PlannedRetry(
                    group.due, group.id.original(), group.id.attempt(), group.id.revert()));
  }

  /**
   * Begins the retry that {@link #nextRetry} tells, if it is due. It may turn out to be empty: what
   * a later transaction has touched is left out (rule 40).
   *
   * @throws IllegalStateException when none is due
   */
  public Cursor<TransactionResult> beginRetry(Predicate<String> frozen, Instant now) {
    Work work = work(frozen);
    RetryGroup group = dry ? retries.due(frozen, now) : retries.take(frozen, now);
    work.again.retried = group;
    Transaction transaction = transaction(work, false, false);
    Optional<RetryOf> retryOf = Optional.of(new RetryOf(group.id.original(), group.id.attempt()));
    begun(work, TransactionKind.RETRY, EventMethod.UPDATE, group.toString(), retryOf, now);
    List<Node> roots = group.live(graph);
    List<Wish> wishes = new ArrayList<>();
    roots.forEach(r -> wishes.add(new Wish(r.key, r.desired, r.owner, r.retry, true)));
    if (history != null) {
      List<TxnEntry> wanted = new ArrayList<>();
      roots.forEach(r -> wanted.add(entry(r.owner, r.key, r.desired)));
      history.values(Origin.NORTH, wanted);
    }
    work.agenda.next(
        () -> {
          if (group.stale) {
            transaction.refresh().some(roots);
          }
        },
        () -> transaction.wish(wishes),
        transaction::finish);
    return transaction;
  }

  /** Whether a failure of that base value, or of what derives from it, will be tried again. */
  public boolean isRetrying(String basePath) {
    Node node = graph.find(basePath);
    return node != null && node.root().plan != null && node.root().unmet();
  }

  /**
   * Where the jitter of retries comes from: a generator for each planned retry, by its number. By
   * default one that the number alone determines.
   */
  public void retryRandomness(LongFunction<RandomGenerator> source) {
    retries.random(source);
  }

  /** After what nothing is tried again; may be added to at any time. */
  public NonRetriable nonRetriable() {
    return settings.nonRetriable();
  }

  /** The values after the last transaction: a snapshot, which never changes. Any thread. */
  public ValueReader values() {
    return snapshot;
  }

  /** What it has done, in numbers. Any thread. */
  public EngineStatistics statistics() {
    return statistics.read();
  }

  /** The history of its transactions; empty when none is kept. Any thread. */
  public Optional<TransactionHistory> history() {
    return Optional.ofNullable(history);
  }

  /**
   * Tells the history when a transaction had ended: the engine has no clock. Called by whoever
   * drives the cursor, with the number of the result that it gave last; of others nothing is noted.
   */
  public void stopped(long number, Instant at) {
    if (history != null) {
      history.stopped(number, at);
    }
  }

  /** Whether it changes nothing, and nobody wants to know more of it. */
  private boolean isMet(EngineTransaction txn) {
    return history == null
        && running == null
        && !dry
        && !settings.verify()
        && !isResync(txn)
        && Met.all(graph, txn);
  }

  private Cursor<TransactionResult> met(EngineTransaction txn) {
    Met.confirm(graph, txn);
    snapshot = graph.publisher().publish();
    return new Met(nextNumber++, statistics::ended);
  }

  private static boolean isResync(EngineTransaction txn) {
    return txn.method() != EventMethod.UPDATE;
  }

  private void idle() {
    if (running != null || observing) {
      throw new IllegalStateException("a transaction is running");
    }
  }

  private Work work(Predicate<String> frozen) {
    idle();
    return new Work(
        nextNumber,
        graph,
        snapshot,
        hangs,
        settings.nonRetriable(),
        frozen,
        dry ? new TreeMap<>(dirty) : dirty,
        dry,
        called);
  }

  private Transaction transaction(Work work, boolean revert, boolean resync) {
    nextNumber++;
    Transaction transaction =
        new Transaction(work, revert, resync, inOrder, settings.verify(), this::ended);
    running = transaction;
    return transaction;
  }

  private void begun(
      Work work, TransactionKind kind, EventMethod method, String description, Instant start) {
    begun(work, kind, method, description, Optional.empty(), start);
  }

  private void begun(
      Work work,
      TransactionKind kind,
      EventMethod method,
      String description,
      Optional<RetryOf> retryOf,
      Instant start) {
    began = start;
    graph.publisher().begin(work.number, history == null ? null : start);
    if (history != null && !quiet) {
      history.begun(new Begun(work.number, kind, method, description, retryOf, work.dry, start));
    }
  }

  private void ended(Transaction transaction, TransactionResult result) {
    if (running != transaction) {
      return;
    }
    running = null;
    if (transaction.isDry()) {
      graph.forget();
      if (quiet) {
        quiet = false;
        nextNumber--;
      } else if (history != null) {
        history.planned(result.operations());
        history.ended(
            new TransactionResult(
                result.number(), result.outcome(), List.of(), List.of(), result.failures()),
            new GraphAt(result.number(), began, snapshot),
            0,
            0);
      }
      return;
    }
    statistics.ended(result);
    retries.ended(transaction.planned());
    Snapshot now = graph.publisher().publish();
    snapshot = now;
    if (history != null) {
      GraphAt after = new GraphAt(result.number(), began, now);
      history.ended(result, after, graph.publisher().changed(), now.entries().depth());
    }
  }

  private static List<TxnEntry> told(Notification notification) {
    List<TxnEntry> entries = new ArrayList<>();
    notification
        .values()
        .forEach((key, value) -> entries.add(entry(Node.NOBODY, key, value.orElse(null))));
    return entries;
  }

  @SuppressWarnings("unchecked") // only shown
  private static TxnEntry entry(String owner, Key<?> key, @Nullable Object value) {
    return value == null
        ? new TxnEntry.Delete(owner, key)
        : new TxnEntry.Put<>(owner, (Key<Object>) key, value);
  }

  // ---- update ----------------------------------------------------------------------------------

  private void update(Work work, Transaction transaction, EngineTransaction txn) {
    if (history != null) {
      history.values(Origin.NORTH, txn.entries());
    }
    List<Segments.Segment> segments = Segments.of(txn);
    if (segments.size() == 1) {
      transaction.announce(segments.get(0).wishes());
      work.agenda.next(transaction::wish, transaction::finish);
      return;
    }
    List<Runnable> tasks = new ArrayList<>();
    for (Segments.Segment segment : segments) {
      transaction.announce(segment.wishes());
      tasks.add(transaction::wish);
      TxnEntry.Act act = segment.then();
      if (act != null) {
        Step<?> step = act.step();
        tasks.add(() -> transaction.step(act.owner(), step));
      }
    }
    tasks.add(transaction::finish);
    work.agenda.next(tasks.toArray(Runnable[]::new));
  }

  // ---- resync ----------------------------------------------------------------------------------

  private void resync(Work work, Transaction transaction, EngineTransaction txn) {
    List<Wish> puts = new ArrayList<>(txn.entries().size());
    for (TxnEntry entry : txn.entries()) {
      if (entry instanceof TxnEntry.Put<?> put && !txn.keepOwners().contains(put.owner())) {
        puts.add(new Wish(put.key(), put.value(), put.owner(), put.retry().or(txn::retry), false));
      }
    }
    TreeMap<String, KeyedValue<?>> correlate = new TreeMap<>();
    if (txn.method() == EventMethod.FULL_RESYNC && !resynced) {
      resynced = true;
      puts.forEach(put -> correlate.put(put.key().path(), keyed(put.key(), put.value())));
    }
    transaction.announce(puts);
    work.agenda.next(
        () -> {
          if (txn.method() != EventMethod.UPSTREAM_RESYNC) {
            transaction.refresh().all(correlate);
          }
        },
        () -> {
          transaction.taken();
          Order order = new Order(work);
          puts.forEach(order::add);
          List<Wish> rest = rest(order, txn);
          rest.forEach(order::add);
          if (history != null && txn.method() != EventMethod.DOWNSTREAM_RESYNC) {
            history.values(Origin.NORTH, asked(puts, rest, history.mostValues()));
          }
          transaction.wish(order);
        },
        transaction::finish);
  }

  @SuppressWarnings("unchecked") // a put's value is of its key's type
  private static KeyedValue<?> keyed(Key<?> key, @Nullable Object value) {
    if (value == null) {
      throw new IllegalArgumentException("no value: " + key.path());
    }
    return new KeyedValue<>((Key<Object>) key, value);
  }

  /** What a resync asks for; what it only looks at again is not asked for. */
  private static List<TxnEntry> asked(List<Wish> puts, List<Wish> rest, int most) {
    return Stream.concat(puts.stream(), rest.stream().filter(wish -> !wish.visitOnly()))
        .limit(most)
        .sorted(Comparator.comparing(wish -> wish.key().path()))
        .map(wish -> entry(wish.owner(), wish.key(), wish.value()))
        .toList();
  }

  /** Beside what is given: what is kept, and the removal of whatever is ours (rules 43 to 45). */
  private List<Wish> rest(Order given, EngineTransaction txn) {
    boolean downstream = txn.method() == EventMethod.DOWNSTREAM_RESYNC;
    List<Wish> wishes = new ArrayList<>();
    if (given.hasAll()) {
      return wishes;
    }
    graph.forEach(
        node -> {
          if (node.base != null
              || given.has(node)
              || (node.desired == null && (node.applied == null || !node.north()))) {
            return;
          }
          Object wanted = node.desired;
          boolean keeps = downstream || txn.keepOwners().contains(node.owner);
          if (keeps && wanted != null) {
            wishes.add(new Wish(node.key, wanted, node.owner, node.retry, true));
          } else if (downstream
              || txn.keepOwners().isEmpty()
              || (!keeps && !node.owner.equals(Node.NOBODY))) {
            wishes.add(new Wish(node.key, null, node.owner, txn.retry(), false));
          } // else it may be a value of a handler that failed: it is left as it is (JT-15)
        });
    return wishes;
  }
}
