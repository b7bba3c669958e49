package dev.evenkeel.api.txn;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.Key;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A transaction engine used on its own, without an event loop: a queue, and one thread that works
 * it off. Implemented by Evenkeel; any thread, except from inside a callback of a descriptor, where
 * committing throws at once.
 */
@Experimental("nothing implements it yet")
public interface TransactionEngine extends AutoCloseable {
  /**
   * Registers a descriptor; values that waited for one are applied. Overlaps and cycles throw
   * {@link InvalidInputException}.
   */
  void register(Descriptor<?, ?> descriptor);

  /**
   * Queues a transaction.
   *
   * @param maxWaitForRoom how long to wait while the queue is full; zero for not at all
   * @return its number and its result, always, also when the caller stops waiting
   */
  Commit commit(CommitOptions options, Consumer<Txn> changes, Duration maxWaitForRoom)
      throws InterruptedException;

  /** Queues what the outside says of values of its own; absent means gone. */
  Commit notifyValues(SortedMap<Key<?>, Optional<Object>> values);

  /** Completes when everything queued before it has been processed. */
  CompletionStage<Void> barrier();

  /** Looks at the values. */
  ValueReader values();

  /** Checks values without applying any: everything wrong with each. */
  List<ValueStatus> validate(Consumer<Txn> values);

  /**
   * Tells of base values whose status changed, after the caller was answered: the latest one per
   * key, never a stale one.
   */
  AutoCloseable watch(Predicate<String> paths, Consumer<ValueStatus> watcher);

  /** Refuses, ends what runs, answers what waits as cancelled. Idempotent. */
  @Override
  void close();

  /**
   * A queued transaction.
   *
   * @param number from 0
   * @param result completes exactly once
   */
  record Commit(long number, CompletionStage<TransactionResult> result) {}
}
