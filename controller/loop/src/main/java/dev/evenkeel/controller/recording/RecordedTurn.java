package dev.evenkeel.controller.recording;

import dev.evenkeel.api.Experimental;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A turn as it is in a recording: trees of JSON, as in the file. Immutable; given out by {@link
 * Recordings}.
 *
 * @param file name of the file that it is in
 * @param line where it begins there, from 1
 * @param number of the turn, from 1
 * @param at its time
 * @param input what was fed
 * @param decisions what was decided, in order
 * @param states when it is the first of a segment: the handlers' state before it
 * @param whole false for the last one of a recording that was not closed: it may lack decisions
 */
@Experimental
public record RecordedTurn(
    String file,
    long line,
    long number,
    Instant at,
    SortedMap<String, Object> input,
    List<SortedMap<String, Object>> decisions,
    Optional<SortedMap<String, Object>> states,
    boolean whole) {
  /** Copies the list. */
  public RecordedTurn {
    decisions = List.copyOf(decisions);
  }
}
