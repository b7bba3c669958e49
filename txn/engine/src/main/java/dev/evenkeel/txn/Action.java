package dev.evenkeel.txn;

import dev.evenkeel.api.txn.StepContext;
import java.time.Duration;
import java.util.Optional;

/**
 * One call on the outside that a core wants made. A core never makes it: its driver does, on a
 * worker or inline, and gives the outcome back to the cursor (rule 0).
 */
public interface Action {
  /** What sort of call. */
  Kind kind();

  /** What it is about: path of a value, name of a step, subject of a journal record. */
  String target();

  /** Handler that wanted it, or the part of the framework. */
  String owner();

  /** How long to wait; absent means the driver's default. */
  Optional<Duration> limit();

  /** Whether it is quick enough to run on the loop thread. */
  boolean inline();

  /** Makes the call; on a worker unless {@link #inline()}; may block; never returns null. */
  Object run(StepContext context) throws Exception;

  /** Sorts of call. */
  enum Kind {
    /** A descriptor's create. */
    CREATE,
    /** A descriptor's update. */
    UPDATE,
    /** A descriptor's delete. */
    DELETE,
    /** A descriptor's retrieve. */
    RETRIEVE,
    /** A step's probe. */
    PROBE,
    /** A step's apply. */
    APPLY,
    /** A step's undo. */
    UNDO,
    /** Reading journal and records for an operation. */
    LOAD,
    /** Writing an intent, a result, or the end of an undo. */
    JOURNAL
  }
}
