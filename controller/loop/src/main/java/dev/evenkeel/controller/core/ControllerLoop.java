package dev.evenkeel.controller.core;

import dev.evenkeel.api.loop.EventLoop;
import dev.evenkeel.api.txn.EngineStatistics;
import dev.evenkeel.api.txn.TransactionHistory;
import dev.evenkeel.api.txn.ValueStatus;
import dev.evenkeel.api.volume.OperationExecutor;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** An event loop with what Evenkeel's own loops have beside it. Implemented by Evenkeel. */
public interface ControllerLoop extends EventLoop {
  /**
   * The operations of this loop: starts them, and says which run. Any thread.
   *
   * @throws IllegalStateException when the loop was made without a datastore
   */
  OperationExecutor operations();

  /** The history of its transactions; empty when its engine keeps none. Any thread; never waits. */
  Optional<TransactionHistory> transactions();

  /**
   * Tells of base values whose status a transaction has changed, after its event was answered: the
   * latest one per key, never a stale one. Any thread, also before the loop runs.
   *
   * @param paths which of them; quick, asked on the loop's thread
   * @param watcher runs on the thread on which outcomes complete; what it throws is logged
   * @return ends it
   */
  AutoCloseable watchValues(Predicate<String> paths, Consumer<ValueStatus> watcher);

  /** What its engine has done since the loop was made, in numbers. Any thread; never waits. */
  EngineStatistics engineStatistics();

  /**
   * The handlers' state, copied: by state map, by key. For recordings and tests; waits for the loop
   * thread to come between two turns.
   */
  SortedMap<String, SortedMap<String, Object>> handlerState();
}
