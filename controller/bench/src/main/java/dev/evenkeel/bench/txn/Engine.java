package dev.evenkeel.bench.txn;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.Secret;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.txn.ActionOutcome;
import dev.evenkeel.txn.Cursor;
import dev.evenkeel.txn.TxnEntry;
import dev.evenkeel.txn.engine.EngineCore;
import dev.evenkeel.txn.engine.EngineSettings;
import dev.evenkeel.txn.engine.EngineTransaction;
import dev.evenkeel.txn.history.HistoryOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** An engine, and the plainest driver that there can be: calls are made at once. */
final class Engine {
  private static final StepContext CONTEXT = new Context();

  final EngineCore core;

  Engine(List<Descriptor<?, ?>> descriptors, HistoryOptions history) {
    core = new EngineCore(descriptors, EngineSettings.defaults().with(history));
  }

  static <V> TxnEntry put(Key<V> key, V value) {
    return new TxnEntry.Put<>("bench", key, value);
  }

  static TxnEntry delete(Key<?> key) {
    return new TxnEntry.Delete("bench", key);
  }

  TransactionResult update(List<TxnEntry> entries) {
    return run(core.begin(transaction(EventMethod.UPDATE, entries)));
  }

  TransactionResult resync(List<TxnEntry> entries) {
    return run(core.begin(transaction(EventMethod.FULL_RESYNC, entries)));
  }

  /** Only plans. */
  TransactionResult plan(List<TxnEntry> entries) {
    return run(core.dryRun(() -> core.begin(transaction(EventMethod.UPDATE, entries))));
  }

  /** Plans, and then does it. */
  TransactionResult planned(List<TxnEntry> entries) {
    return run(core.planned(() -> core.begin(transaction(EventMethod.UPDATE, entries))));
  }

  private static EngineTransaction transaction(EventMethod method, List<TxnEntry> entries) {
    return new EngineTransaction(
        method, false, "", entries, Set.of(), path -> false, Optional.empty(), Instant.EPOCH);
  }

  private static TransactionResult run(Cursor<TransactionResult> cursor) {
    Cursor.Next<TransactionResult> next = cursor.next(new ActionOutcome.Start());
    while (next instanceof Cursor.Next.Act<TransactionResult> act) {
      next = cursor.next(made(act));
    }
    TransactionResult result = ((Cursor.Next.End<TransactionResult>) next).result();
    if (result.outcome() != TransactionOutcome.APPLIED) {
      throw new IllegalStateException(result.outcome() + " " + result.failures());
    }
    return result;
  }

  private static ActionOutcome made(Cursor.Next.Act<TransactionResult> act) {
    try {
      return new ActionOutcome.Done(act.action().run(CONTEXT), Duration.ZERO);
    } catch (Exception thrown) {
      return new ActionOutcome.Failed(thrown, Duration.ZERO);
    }
  }

  private static final class Context implements StepContext {
    @Override
    public <T> T get(Ref<T> ref) {
      throw new IllegalStateException("no steps here");
    }

    @Override
    public Secret secret(String name) {
      throw new IllegalStateException("no secrets here");
    }

    @Override
    public void checkReadable() {}

    @Override
    public Instant deadline() {
      return Instant.MAX;
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
      return "bench";
    }
  }
}
