package dev.evenkeel.app.workload;

import dev.evenkeel.api.event.Request;
import java.util.List;
import java.util.Optional;

/** A line of a workload that counts: an event, or something that should have been one. */
public sealed interface Entry {
  /** Number of its line, from 1. */
  long line();

  /** How it is expected to end. */
  Expected expected();

  /**
   * An event to push.
   *
   * @param fault how it is to fail on purpose; absent as a rule
   * @param note what the line says for people; may be empty
   */
  record Wanted(
      long line, Request<?> request, Expected expected, Optional<Fault> fault, String note)
      implements Entry {}

  /**
   * A line that cannot be run.
   *
   * @param faults all that is wrong with it, each with the file and the line; at least one
   */
  record Invalid(long line, Expected expected, List<String> faults) implements Entry {
    /** Copies the faults. */
    public Invalid {
      faults = List.copyOf(faults);
    }
  }

  /** How an event may be made to fail on purpose. */
  enum Fault {
    /** A step of the last handler fails, when those of all others have been done. */
    LAST_STEP
  }
}
