package dev.evenkeel.app.show;

import dev.evenkeel.api.loop.EventRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a line of a workload ended.
 *
 * @param number of the line among those that count, from 1
 * @param line number in the file
 * @param event name of its kind, or {@code -} when it is none
 * @param subject what it was done to, or {@code -}
 * @param expected how it should end
 * @param ended how it did, in one word
 * @param duration from its first turn to its answer
 * @param record what the history says; absent when it has never run
 * @param errors what went wrong, one line each
 */
public record Ended(
    long number,
    long line,
    String event,
    String subject,
    String expected,
    String ended,
    Duration duration,
    Optional<EventRecord> record,
    List<String> errors) {
  /** Copies the errors. */
  public Ended {
    errors = List.copyOf(errors);
  }

  /** Whether it ended as it should. */
  public boolean asExpected() {
    return expected.equals(ended);
  }

  /** The same for the summary, which needs neither record nor errors. */
  public Ended row() {
    return new Ended(
        number, line, event, subject, expected, ended, duration, Optional.empty(), List.of());
  }
}
