package dev.evenkeel.app.examples;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.Secret;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.GraphSnapshot;
import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.txn.Results;
import dev.evenkeel.api.txn.RetryPolicy;
import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.api.txn.TransactionHistory;
import dev.evenkeel.api.txn.TransactionRecord;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.txn.ActionOutcome;
import dev.evenkeel.txn.Cursor;
import dev.evenkeel.txn.TxnEntry;
import dev.evenkeel.txn.engine.EngineCore;
import dev.evenkeel.txn.engine.EngineTransaction;
import dev.evenkeel.txn.engine.PlannedRetry;
import dev.evenkeel.txn.history.GraphDot;
import dev.evenkeel.txn.history.HistoryOptions;
import dev.evenkeel.txn.history.TextOptions;
import dev.evenkeel.txn.history.TransactionText;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What an example runs on: an engine over the mock switch, driven on the caller's thread, with a
 * clock that goes on by a second from one transaction to the next and by a millisecond with each
 * call, so that a run always prints the same.
 */
final class Stage {
  private static final Duration CALL = Duration.ofMillis(1);
  private static final Optional<RetryPolicy> NO_RETRY = Optional.empty();

  final Device device = new Device();
  private final Appendable out;
  private final TransactionText text;
  private final EngineCore engine;
  private Instant now = Instant.EPOCH;

  Stage(Appendable out, TextOptions options) {
    this.out = out;
    this.text = new TransactionText(options);
    List<Descriptor<?, ?>> descriptors = new ArrayList<>(NicPlugin.descriptors(device));
    descriptors.addAll(BridgePlugin.descriptors(device));
    this.engine = new EngineCore(descriptors, HistoryOptions.standard());
  }

  static <V> TxnEntry put(Key<V> key, V value) {
    return new TxnEntry.Put<>("example", key, value);
  }

  static TxnEntry delete(Key<?> key) {
    return new TxnEntry.Delete("example", key);
  }

  /** No operation runs, so nothing is. */
  private static boolean isFrozen(String path) {
    return false;
  }

  /** What the reader is to know before he sees what comes next. */
  void say(String words) throws IOException {
    out.append("## ").append(words).append('\n');
  }

  /** What came out. */
  void tell(String words) throws IOException {
    out.append(words).append('\n');
  }

  void resync(String description, TxnEntry... entries) throws IOException {
    show(run(transaction(EventMethod.FULL_RESYNC, false, description, List.of(entries), NO_RETRY)));
  }

  void update(String description, TxnEntry... entries) throws IOException {
    show(run(transaction(EventMethod.UPDATE, false, description, List.of(entries), NO_RETRY)));
  }

  void updateWithRetry(String description, RetryPolicy retry, TxnEntry... entries)
      throws IOException {
    List<TxnEntry> all = List.of(entries);
    show(run(transaction(EventMethod.UPDATE, false, description, all, Optional.of(retry))));
  }

  /** Goes on to the time of each planned retry, and runs it. */
  void retryAll() throws IOException {
    Optional<PlannedRetry> next = engine.nextRetry(Stage::isFrozen, now);
    while (next.isPresent()) {
      now = next.get().due();
      show(run(engine.beginRetry(Stage::isFrozen, now)));
      next = engine.nextRetry(Stage::isFrozen, now);
    }
  }

  void revertOnFailure(String description, TxnEntry... entries) throws IOException {
    show(run(transaction(EventMethod.UPDATE, true, description, List.of(entries), NO_RETRY)));
  }

  /** Runs an update and shows nothing. */
  TransactionResult quietly(String description, List<TxnEntry> entries) {
    return run(transaction(EventMethod.UPDATE, false, description, entries, NO_RETRY));
  }

  TransactionHistory history() {
    return engine.history().orElseThrow();
  }

  private void show(TransactionResult result) throws IOException {
    TransactionRecord record = history().find(result.number()).orElseThrow();
    text.before(record, out);
    text.after(record, out);
  }

  /** What is configured in the switch by now. */
  void showDevice() throws IOException {
    out.append("The switch has:\n");
    for (String line : device.lines()) {
      out.append("  ").append(line).append('\n');
    }
  }

  /** The graph as it is by now, for Graphviz. */
  void showGraph() throws IOException {
    GraphSnapshot graph = history().graphAt(Instant.MAX).orElseThrow();
    new GraphDot(1_000).write(graph, "", out);
  }

  private Cursor<TransactionResult> transaction(
      EventMethod method,
      boolean revert,
      String description,
      List<TxnEntry> entries,
      Optional<RetryPolicy> retry) {
    now = now.plusSeconds(1);
    return engine.begin(
        new EngineTransaction(
            method, revert, description, entries, Set.of(), Stage::isFrozen, retry, now));
  }

  private TransactionResult run(Cursor<TransactionResult> cursor) {
    Cursor.Next<TransactionResult> next = cursor.next(new ActionOutcome.Start());
    while (next instanceof Cursor.Next.Act<TransactionResult> act) {
      now = now.plus(CALL);
      next = cursor.next(outcome(act, cursor.results()));
    }
    TransactionResult result = ((Cursor.Next.End<TransactionResult>) next).result();
    engine.stopped(result.number(), now);
    return result;
  }

  private ActionOutcome outcome(Cursor.Next.Act<TransactionResult> act, Results results) {
    try {
      Object value = act.action().run(new Context(results, now.plusSeconds(1)));
      return new ActionOutcome.Done(value, CALL);
    } catch (Exception thrown) {
      return new ActionOutcome.Failed(thrown, CALL);
    }
  }

  private record Context(Results results, Instant deadline) implements StepContext {
    @Override
    public <T> T get(Ref<T> ref) {
      return results.get(ref);
    }

    @Override
    public Secret secret(String name) {
      throw new IllegalStateException("the examples have no secrets");
    }

    @Override
    public void checkReadable() {
      throw new IllegalStateException("the examples have no secrets");
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
      return "example";
    }
  }
}
