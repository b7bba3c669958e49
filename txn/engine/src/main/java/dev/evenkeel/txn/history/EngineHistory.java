package dev.evenkeel.txn.history;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.txn.GraphNode;
import dev.evenkeel.api.txn.GraphSnapshot;
import dev.evenkeel.api.txn.OperationRecord;
import dev.evenkeel.api.txn.Origin;
import dev.evenkeel.api.txn.TransactionHistory;
import dev.evenkeel.api.txn.TransactionRecord;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueRevision;
import dev.evenkeel.txn.TxnEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The history of one engine. The engine tells it how each transaction began, what it planned, and
 * how it ended, on its own thread; whoever drives the engine tells when. Readers are described by
 * {@link TransactionHistory}.
 *
 * <p>Keys' timelines are not stored: each transaction's graph is kept, which shares with its
 * neighbours whatever has not changed, and a timeline is read off them.
 */
@Experimental("new")
public final class EngineHistory implements TransactionHistory {
  private final HistoryOptions options;
  private final Ring recent;
  private final Ring initial;

  private volatile @Nullable Kept running;
  private volatile int count;
  private volatile long bytes;
  private @Nullable Instant began;
  private boolean initialClosed;

  /** An empty history. */
  public EngineHistory(HistoryOptions options) {
    this.options = options;
    this.recent = new Ring(options.records());
    this.initial = new Ring(Math.max(1, options.initRecords()));
  }

  // ---- the engine's side -----------------------------------------------------------------------

  /** A transaction has begun. */
  public void begun(Begun begun) {
    if (began == null) {
      began = begun.start();
    }
    running = new Kept(begun, Origin.NORTH, List.of(), null, null, null, null, false, 0);
  }

  /**
   * What it wants. Told once, as soon as it is known.
   *
   * @param entries only values are kept
   */
  public void values(Origin origin, List<TxnEntry> entries) {
    Kept now = running;
    if (now != null) {
      boolean cut = entries.size() > options.entries();
      List<TxnEntry> values = cut || !areValues(entries) ? onlyValues(entries) : entries;
      running = new Kept(now.begun(), origin, values, now.planned(), null, null, null, cut, 0);
    }
  }

  /** How many values are worth telling: one more than are kept. */
  public int mostValues() {
    return options.entries() + 1;
  }

  private static boolean areValues(List<TxnEntry> entries) {
    for (TxnEntry entry : entries) {
      if (!isValue(entry)) {
        return false;
      }
    }
    return true;
  }

  /** Steps and records are not held: who knows what they hold. */
  private List<TxnEntry> onlyValues(List<TxnEntry> entries) {
    return entries.stream().filter(EngineHistory::isValue).limit(options.entries()).toList();
  }

  private static boolean isValue(TxnEntry entry) {
    return entry instanceof TxnEntry.Put<?> || entry instanceof TxnEntry.Delete;
  }

  /** What a dry run says that it will do. */
  public void planned(List<OperationRecord> plan) {
    Kept now = running;
    if (now != null) {
      List<OperationRecord> beginning = beginning(plan);
      boolean cut = now.shortened() || beginning.size() < plan.size();
      running =
          new Kept(now.begun(), now.origin(), now.values(), beginning, null, null, null, cut, 0);
    }
  }

  /**
   * It has ended.
   *
   * @param graph what it has left
   * @param changed how many of the graph's values it has changed
   * @param depth of the graph's tree
   */
  public void ended(TransactionResult result, GraphSnapshot graph, int changed, int depth) {
    Kept now = running;
    if (now == null) {
      return;
    }
    List<OperationRecord> operations = beginning(result.operations());
    boolean cut = operations.size() < result.operations().size();
    TransactionResult kept =
        cut
            ? new TransactionResult(
                result.number(), result.outcome(), operations, result.steps(), result.failures())
            : result;
    List<OperationRecord> planned = now.planned();
    long weight =
        Weight.of(
            now.begun(),
            now.values(),
            planned == null ? List.of() : planned,
            kept,
            options.weigher());
    recent.add(
        new Kept(
            now.begun(),
            now.origin(),
            now.values(),
            planned,
            kept,
            null,
            graph,
            now.shortened() || cut,
            weight + Weight.ofGraph(changed, depth)));
    running = null;
    trim(now.begun().start());
  }

  private List<OperationRecord> beginning(List<OperationRecord> operations) {
    return operations.size() <= options.entries()
        ? operations
        : List.copyOf(operations.subList(0, options.entries()));
  }

  /** When the last transaction had ended. Told by whoever drives the engine. */
  public void stopped(long number, Instant at) {
    Kept last = recent.get(number);
    if (last != null && last.stop() == null) {
      recent.replace(last.stopped(at));
    }
  }

  /** Drops what is too much or too old. Told by the engine after each transaction. */
  public void trim(Instant now) {
    Instant limit = now.minus(options.age());
    Kept oldest = recent.oldest();
    while (oldest != null && (tooMuch() || oldest.begun().start().isBefore(limit))) {
      keepInitial(oldest); // first, so that a reader always finds it
      recent.dropOldest();
      oldest = recent.oldest();
    }
    count = recent.count() + initial.count();
    bytes = recent.bytes() + initial.bytes();
  }

  /** The newest one stays, unless it is too much by itself. */
  private boolean tooMuch() {
    return recent.count() > options.records() || recent.bytes() > options.bytes();
  }

  /** What is dropped is kept after all if it is of the initial period and there is room. */
  private void keepInitial(Kept dropped) {
    Instant from = began;
    TransactionResult result = dropped.result();
    if (initialClosed || from == null || result == null) {
      return;
    }
    List<OperationRecord> planned = dropped.planned();
    long weight =
        Weight.of(
            dropped.begun(),
            dropped.values(),
            planned == null ? List.of() : planned,
            result,
            options.weigher());
    if (dropped.begun().start().isAfter(from.plus(options.initPeriod()))
        || initial.count() >= options.initRecords()
        || initial.bytes() + weight > options.initBytes()) {
      initialClosed = true; // without a gap
      return;
    }
    initial.add(dropped.withoutGraph(weight));
  }

  // ---- the readers' side -----------------------------------------------------------------------

  @Override
  public Optional<TransactionRecord> find(long number) {
    return Optional.ofNullable(kept(number)).map(Kept::record);
  }

  private @Nullable Kept kept(long number) {
    Kept now = running;
    if (now != null && now.number() == number) {
      return now;
    }
    Kept found = recent.get(number);
    if (found == null) {
      found = initial.get(number);
    }
    return found != null ? found : recent.get(number); // it may have ended, or moved, meanwhile
  }

  @Override
  public List<TransactionRecord> between(Instant since, Instant until, int limit) {
    return newest(
        limit,
        kept -> !kept.begun().start().isBefore(since) && !kept.begun().start().isAfter(until));
  }

  @Override
  public List<TransactionRecord> last(int limit) {
    return newest(limit, kept -> true);
  }

  private List<TransactionRecord> newest(int limit, Predicate<Kept> filter) {
    if (limit < 1) {
      throw new IllegalArgumentException("a limit is positive: " + limit);
    }
    Kept now = running; // first: one that ends meanwhile is then among the recent
    List<Kept> found = new ArrayList<>(recent.newest(limit, filter));
    if (now != null
        && filter.test(now)
        && (found.isEmpty() || found.get(found.size() - 1).number() < now.number())) {
      found.add(now);
    }
    long oldest = found.isEmpty() ? Long.MAX_VALUE : found.get(0).number();
    int room = Math.max(0, limit - found.size());
    List<Kept> before = initial.newest(room, kept -> kept.number() < oldest && filter.test(kept));
    return Stream.concat(before.stream(), found.stream())
        .skip(Math.max(0, before.size() + found.size() - limit))
        .map(Kept::record)
        .toList();
  }

  @Override
  public List<ValueRevision> timeline(String key) {
    List<ValueRevision> revisions = new ArrayList<>();
    @Nullable GraphNode last = null;
    for (Kept kept : recent.newest(Integer.MAX_VALUE, k -> k.graph() != null)) {
      GraphSnapshot graph = kept.graph();
      GraphNode now = graph == null ? null : graph.node(key).orElse(null);
      if (now == null && last != null) {
        revisions.add(new ValueRevision(kept.number(), kept.begun().start(), Optional.empty()));
      } else if (now != null && (last == null || differs(last, now))) {
        revisions.add(new ValueRevision(now.transaction(), now.time(), Optional.of(now)));
      }
      last = now;
    }
    int from = Math.max(0, revisions.size() - options.revisions());
    return List.copyOf(revisions.subList(from, revisions.size()));
  }

  private static boolean differs(GraphNode last, GraphNode now) {
    return last.transaction() != now.transaction() && !last.sameAs(now);
  }

  @Override
  public Optional<GraphSnapshot> graphAfter(long number) {
    return Optional.ofNullable(recent.get(number)).map(Kept::graph);
  }

  @Override
  public Optional<GraphSnapshot> graphAt(Instant time) {
    return recent.newest(1, kept -> !ended(kept).isAfter(time)).stream()
        .findFirst()
        .map(Kept::graph);
  }

  private static Instant ended(Kept kept) {
    Instant stop = kept.stop();
    return stop == null ? kept.begun().start() : stop;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public long bytes() {
    return bytes;
  }
}
