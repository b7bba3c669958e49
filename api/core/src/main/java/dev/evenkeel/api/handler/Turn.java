package dev.evenkeel.api.handler;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.txn.Results;
import dev.evenkeel.api.txn.Txn;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * What a handler is given with an event: the only source of time, randomness and identifiers, and
 * the only way to have an effect. Implemented by Evenkeel; loop thread, valid during the call only
 * (afterwards every method throws {@link IllegalStateException}).
 */
public interface Turn {
  /** Collects what is wanted. */
  Txn txn();

  /** When this turn began. The same for all handlers of the turn. */
  Instant now();

  /** Random numbers of this event and handler: the same again in a replay. */
  RandomGenerator random();

  /** A new random UUID, the same again in a replay. */
  String newId();

  /** Number of resyncs so far, this one included: 1 in the first. */
  int resyncCount();

  /** Whether no resync has succeeded yet: handlers initialise themselves then. */
  boolean startup();

  /** The input state with all changes seen so far; in a resync, what to build from. */
  InputState input();

  /**
   * Adds an event that is processed right after this one if this one succeeds, and is dropped if it
   * is reverted (JT-11). May not be one whose outcome is waited for.
   */
  void followUp(Event event);

  /** Adds an event that is pushed after a delay, if this one succeeds. */
  void schedule(Duration delay, Event event);

  /**
   * Registers what puts back a change that this handler has just made to state of its own; run in
   * reverse order when the event is reverted. State in {@link #state state maps} needs none.
   */
  void onRevert(Runnable undo);

  /** Gives the answer of a request. The last one given wins. */
  <R> void answer(Request<R> request, R value);

  /**
   * Gives the answer of a request, made from what its steps returned, after the last one. Pure;
   * loop thread.
   */
  <R> void answerFrom(Request<R> request, Function<Results, R> value);

  /** State kept by the loop. */
  <V> StateMap<V> state(StateName<V> name);

  /**
   * Id of the transaction, as steps see it: the same again when an interrupted operation goes on.
   */
  String transaction();

  /** Operations: what the journal knows. Serial events: {@link Found.New}. */
  Found found();

  /**
   * Operations: what a loader has read; empty when it was absent. Throws {@link
   * IllegalStateException} if nobody read it.
   */
  <V> Optional<V> loaded(Key<V> key);

  /**
   * Operations: takes a further lock, such as that of the name found through an id. When it is
   * refused the event ends refused, with nothing done; the handler may go on as if it had it.
   */
  void lock(LockKey key);

  /**
   * For code that changes while old recordings must replay: the version of a decision, between two
   * numbers. A new run gets the highest, a replay what was recorded.
   */
  int version(String name, int lowest, int highest);
}
