package dev.evenkeel.api.loop;

import dev.evenkeel.api.CheckReturnValue;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.txn.ValueReader;
import java.time.Duration;
import java.util.Optional;

/**
 * The event loop: one thread that takes events one after another and shows each to the handlers.
 * Implemented by Evenkeel; all methods from any thread.
 *
 * <p>Until the first full resync has succeeded, events wait behind the gate. A push is accepted,
 * and then gets exactly one outcome, or throws, and then never runs. Handlers do not push: they add
 * follow-ups to their turn.
 */
public interface EventLoop extends AutoCloseable {
  /**
   * Pushes an event; never waits.
   *
   * @throws EventQueueFullException when as many as the capacity wait
   * @throws LoopClosedException after {@link #close()} has begun
   * @throws NotLeaderException when the loop stands by
   */
  @CheckReturnValue
  Submission<Void> pushEvent(Event event);

  /** Pushes a request; never waits; throws as {@link #pushEvent(Event)}. */
  @CheckReturnValue
  <R> Submission<R> pushEvent(Request<R> request);

  /**
   * Pushes an event, and waits for room that long at most; on the loop thread it throws as if there
   * were none.
   */
  @CheckReturnValue
  Submission<Void> pushEvent(Event event, Duration maxWaitForRoom) throws InterruptedException;

  /** Pushes a request, and waits for room that long at most. */
  @CheckReturnValue
  <R> Submission<R> pushEvent(Request<R> request, Duration maxWaitForRoom)
      throws InterruptedException;

  /** How it stands, now. Never blocks. */
  LoopStatus status();

  /** What it has done. Reads snapshots; never blocks the loop. */
  History history();

  /** The values of its engine. Reads snapshots; never blocks the loop. */
  ValueReader values();

  /**
   * {@link #close(Duration)} with the configured limit. What goes wrong in the shutdown is on the
   * history's last record, and in the log.
   */
  @Override
  void close();

  /**
   * Closes: refuses new events, processes those that wait until the limit, shows the handlers the
   * shutdown update, answers the rest as dropped, ends the thread. Idempotent; a second call waits
   * for the first. Called on the loop thread it begins to close and returns at once. An interrupt
   * of the caller shortens the waiting only, and is kept.
   *
   * @return what became of the shutdown update, with its failures; empty when the handlers were not
   *     shown one, since the loop was never in sync or was aborting, and when the loop has not
   *     ended yet: within the limit, or because of who called
   */
  Optional<Outcome<Void>> close(Duration limit);
}
