package dev.evenkeel.controller.core;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.ResyncEvent;
import dev.evenkeel.api.event.Shutdown;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.loop.EventId;
import dev.evenkeel.txn.ActionOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a driver feeds to the core: one input, one turn. Values; a recording is their order with
 * their times (JT-10).
 */
public sealed interface LoopInput {
  /** Id of the event, if it is one that was pushed. */
  default @Nullable EventId pushedId() {
    return this instanceof Submitted submitted ? submitted.id() : null;
  }

  /** The event, if it is one that was pushed. */
  default @Nullable Event pushedEvent() {
    return this instanceof Submitted submitted ? submitted.event() : null;
  }

  /**
   * The first input.
   *
   * @param seed of all random numbers and ids of this run
   */
  record Start(long seed) implements LoopInput {}

  /**
   * An event that was pushed.
   *
   * @param id odd: those that the core makes itself are even
   * @param pushed when
   * @param said what an update event said of itself; null for resyncs and for invalid events
   * @param fault why the event is invalid
   * @param reply where its outcome goes
   */
  record Submitted(
      EventId id,
      Event event,
      Instant pushed,
      @Nullable EventSpec said,
      Optional<Failure> fault,
      Reply reply)
      implements LoopInput {
    /** Asks the event how it is to be treated; runs on the pusher's thread, and never throws. */
    public static Submitted of(EventId id, Event event, Instant pushed, Reply reply) {
      try {
        String fault = faultOf(event);
        EventSpec spec = event instanceof UpdateEvent update ? update.spec() : null;
        if (fault == null && event instanceof UpdateEvent update) {
          fault = spec == null ? "it has no spec" : secretsFault(update);
        }
        return new Submitted(
            id,
            event,
            pushed,
            spec,
            fault == null ? Optional.empty() : Optional.of(invalid(fault)),
            reply);
      } catch (VirtualMachineError fatal) {
        throw fatal;
      } catch (Throwable thrown) {
        Failure failure = askingFailed(thrown);
        return new Submitted(id, event, pushed, null, Optional.of(failure), reply);
      }
    }

    static Failure askingFailed(Throwable thrown) {
      return invalid("asking it failed: " + thrown.getClass().getSimpleName());
    }

    private static @Nullable String secretsFault(UpdateEvent event) {
      return event.secrets() == null ? "it has no secrets, not even none" : null;
    }

    private static @Nullable String faultOf(Event event) {
      EventMethod method = event.method();
      if (event.type() == null) {
        return "it has no type";
      }
      if (method == null) {
        return "it has no method";
      }
      if (event instanceof ResyncEvent && method == EventMethod.UPDATE) {
        return "it says that it is an update, and has nothing of one";
      }
      if (event instanceof UpdateEvent && method != EventMethod.UPDATE) {
        return "it is an update, and says that it is not";
      }
      return event instanceof Shutdown ? "only closing the loop shuts it down" : null;
    }

    private static Failure invalid(String why) {
      return Failure.of("loop", "push", ErrorKind.INVALID, "the event is invalid: " + why);
    }
  }

  /**
   * Work has returned.
   *
   * @param work its number
   */
  record Completed(long work, ActionOutcome outcome) implements LoopInput {}

  /** A call within a script has passed its limit, and still runs (JT-4). */
  record Overdue(long work, String target, Duration limit) implements LoopInput {}

  /** A timer that the core asked for is due. */
  record TimerFired(long timer) implements LoopInput {}

  /** The core has something ready in its own queues, and nothing before that is waiting. */
  record Proceed() implements LoopInput {}

  /**
   * Close.
   *
   * @param until when what waits is no longer processed; counted from when it was asked for
   */
  record Close(Instant until) implements LoopInput {}

  /** After {@link Close}: everything that was accepted has been handed over. */
  record Drained() implements LoopInput {}

  /**
   * Leadership has been won or lost.
   *
   * @param leads whether this controller leads now
   */
  record Led(boolean leads) implements LoopInput {}

  /**
   * Pushes were refused since the last such input. They had no effect: it is here to be recorded.
   *
   * @param full because the queue was full
   * @param closed because the loop was closed
   * @param notLeader because another controller leads
   */
  record Refused(long full, long closed, long notLeader) implements LoopInput {}
}
