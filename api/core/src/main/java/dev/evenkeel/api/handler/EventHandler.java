package dev.evenkeel.api.handler;

import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.ResyncEvent;
import dev.evenkeel.api.event.UpdateEvent;
import java.util.Optional;

/**
 * A plug-in of the loop. Implemented by users, or made by {@link Handlers}.
 *
 * <p>Serial, one thread, happens-before: all methods are called by the loop thread alone, one after
 * another, and must not block. A handler has no effect but through its turn; what the outside must
 * do it puts into the transaction. Time, random numbers and ids come from the turn. Any exception
 * is this handler's failure, and the event's transaction type decides what follows; {@code
 * AbortEventException} stops the event, {@code FatalLoopException} the loop. {@code
 * VirtualMachineError} is fatal.
 */
public interface EventHandler {
  /**
   * Unique among the handlers of a loop; lower case with dashes, as a rule. Stable: history and
   * recordings use it.
   */
  String name();

  /**
   * Whether it wants to see the event. Asked of every handler before any of them runs; quick, no
   * side effect. An operation that no handler wants is refused; any other event ends well.
   */
  boolean handlesEvent(Event event);

  /** Puts everything that it wants to exist: what it does not put is removed. */
  void resync(ResyncEvent event, Turn turn) throws Exception;

  /**
   * Puts and deletes what changes. A repeat of an operation that was completed, or interrupted,
   * comes here as the first time did: {@link Turn#found} tells.
   *
   * @return what is going to change, for people; may be empty
   */
  String update(UpdateEvent event, Turn turn) throws Exception;

  /**
   * The event is being reverted: puts back what {@link Turn#onRevert} cannot. Called after the undo
   * log, in reverse order of the handlers that had succeeded.
   */
  default void revert(UpdateEvent event, Turn turn) throws Exception {}

  /** Where it wants to stand among the others. Asked once, when the loop is built. */
  default Order order() {
    return Order.ANY;
  }

  /**
   * Its state in its own words, the same text for the same state: compared in verification mode.
   */
  default Optional<String> describeState() {
    return Optional.empty();
  }
}
