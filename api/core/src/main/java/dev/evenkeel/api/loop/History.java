package dev.evenkeel.api.loop;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a loop has done: a bounded history of events. Implemented by Evenkeel; any thread; answers
 * from snapshots, ordered by sequence number, and never holds anything that the loop waits for.
 */
public interface History {
  /** One record. */
  Optional<EventRecord> bySequence(long sequence);

  /**
   * Records that overlap the window: ended not before {@code since}, started not after {@code
   * until}.
   */
  List<EventRecord> between(Instant since, Instant until);

  /** Records with numbers from {@code from} to {@code to}, both included. */
  List<EventRecord> range(long from, long to);

  /**
   * The oldest records, {@code count} at most; negative counts throw {@link
   * IllegalArgumentException}.
   */
  List<EventRecord> first(int count);

  /**
   * The newest records, {@code count} at most; negative counts throw {@link
   * IllegalArgumentException}.
   */
  List<EventRecord> last(int count);
}
