package dev.evenkeel.txn;

import java.time.Duration;

/** What came of an action; an input to a cursor. */
public sealed interface ActionOutcome {
  /** Nothing yet: begins a cursor. */
  record Start() implements ActionOutcome {}

  /**
   * It returned.
   *
   * @param value what it returned
   * @param took how long it ran
   */
  record Done(Object value, Duration took) implements ActionOutcome {}

  /**
   * It threw.
   *
   * @param thrown anything but a fatal error of the virtual machine
   * @param took how long it ran
   */
  record Failed(Throwable thrown, Duration took) implements ActionOutcome {}

  /**
   * Its limit passed, and it still runs (JT-4).
   *
   * @param limit that passed
   */
  record TimedOut(Duration limit) implements ActionOutcome {}
}
