package dev.evenkeel.controller.core;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.txn.Results;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.Cursor;
import dev.evenkeel.txn.operation.OperationReport;
import java.time.Duration;

/**
 * What the core wants done outside: the driver does it, on a worker unless it is inline, and feeds
 * {@link LoopInput.Completed} with its number back, once.
 */
public sealed interface Work {
  /** Its number, from 1. */
  long id();

  /** What the calls need. */
  Scope scope();

  /**
   * One call.
   *
   * @param id its number
   */
  record Call(long id, Action action, Scope scope) implements Work {}

  /**
   * A whole script, call after call, in one visit to a worker. It completes with the report as
   * {@code Done}.
   *
   * @param id its number
   */
  record Script(long id, Cursor<OperationReport> cursor, Scope scope) implements Work {}

  /**
   * What every call of a transaction is given.
   *
   * @param transaction its id
   * @param secrets of the event
   * @param results what its steps have returned so far
   * @param epoch to fence with
   * @param limit how long to wait for a call that names none
   */
  record Scope(String transaction, Secrets secrets, Results results, Epoch epoch, Duration limit) {}
}
