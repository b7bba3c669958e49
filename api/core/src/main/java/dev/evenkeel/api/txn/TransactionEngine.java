package dev.evenkeel.api.txn;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.event.Notification;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A transaction engine used on its own, without an event loop: a queue, and one thread that works
 * it off in order. Implemented by Evenkeel; any thread, except from inside a callback of a
 * descriptor, where everything but {@link #values()} throws {@link ReentrantCallException} at once.
 *
 * <p>What is queued has a number and a result, always. A result completes exactly once, on a thread
 * of the engine's own that is not the one which works: what depends on it holds up no transaction.
 * Failed values are tried again by the policy that they were committed with.
 */
@Experimental("new")
public interface TransactionEngine extends AutoCloseable {
  /**
   * Queues a transaction. What cannot be accepted is answered as {@link
   * TransactionOutcome#REJECTED}, without a number: what is no transaction ({@link
   * dev.evenkeel.api.ErrorKind#INVALID}), what finds the queue full ({@code RESOURCE_EXHAUSTED}) or
   * the engine closed ({@code UNAVAILABLE}).
   *
   * @param changes puts what is wanted; runs here and now, and what it throws is thrown
   * @param maxWaitForRoom how long to wait while the queue is full; zero for not at all
   * @return its number and its result; nobody needs to wait for it
   * @throws InterruptedException while waiting for room; nothing was queued
   */
  Commit commit(CommitOptions options, Consumer<Txn> changes, Duration maxWaitForRoom)
      throws InterruptedException;

  /**
   * Queues what the outside says of values of its own; absent means gone. Does not wait for room.
   */
  default Commit notifyValues(SortedMap<Key<?>, Optional<Object>> values) {
    return notifyValues(new Notification(values));
  }

  /** The same, with metadata. */
  Commit notifyValues(Notification notification);

  /**
   * Queues the registration of one more descriptor. What has waited for it is applied by the same
   * transaction; if there has been a full resync, what is there is retrieved first. It is rejected
   * ({@code INVALID}) when its name or its keys are another's, or it waits with retrieving for one
   * that is not registered; nothing has happened then.
   */
  Commit register(Descriptor<?, ?> descriptor);

  /** The prefixes of the keys that are described, ordered. */
  List<String> prefixes();

  /**
   * Completes when a path or prefix is described and what waited for that has been applied; at once
   * if it is; exceptionally when the engine is closed before. At most 10,000 may wait, more throw
   * {@link IllegalStateException}.
   */
  CompletionStage<Void> whenRegistered(String prefix);

  /**
   * Completes when everything queued before it has been processed; exceptionally when the engine is
   * closed before.
   */
  CompletionStage<Void> barrier();

  /** Looks at the values as they were after the last transaction. Never waits; also after close. */
  ValueReader values();

  /**
   * Asks descriptors what is really there, between two transactions; compares and changes nothing.
   * Completes exceptionally when the queue is full ({@code RESOURCE_EXHAUSTED}) or the engine is
   * closed before. What cannot be asked is told by the answer.
   */
  CompletionStage<ObservedValues> observe(ObserveValues asked);

  /** What it has done since it was made, in numbers. Never waits; also after close. */
  EngineStatistics statistics();

  /**
   * What its transactions did (rules 58 and 59); empty when its settings keep none. Never waits;
   * also after close.
   */
  Optional<TransactionHistory> transactions();

  /**
   * Checks values without applying any, and asks nobody outside: everything wrong with each.
   *
   * @param values puts what is to be checked; runs here and now
   * @return a status for each value that is not valid, with the derived values that are not
   */
  List<ValueStatus> validate(Consumer<Txn> values);

  /**
   * Tells of base values whose status changed, after the caller was answered: the latest one per
   * key, never a stale one.
   *
   * @param paths which of them
   * @param watcher runs on the thread on which results complete
   * @return ends it
   */
  AutoCloseable watch(Predicate<String> paths, Consumer<ValueStatus> watcher);

  /**
   * Refuses what comes, ends what runs, answers what waits as {@link TransactionOutcome#CANCELLED}.
   * Waits until the threads have ended. Idempotent. An interrupt makes it wait no longer for the
   * call that runs, and stays set.
   */
  @Override
  void close();

  /** A queued transaction. Implemented by Evenkeel; any thread. */
  interface Commit {
    /** In the order of the queue, from 0; negative when it was not accepted. */
    long number();

    /** Completes exactly once. Waiting for it inside a callback of the engine throws. */
    CompletionStage<TransactionResult> result();

    /**
     * Calls it off unless it has begun: then its result is {@link TransactionOutcome#CANCELLED}.
     *
     * @return whether it was called off
     */
    boolean cancel();
  }
}
