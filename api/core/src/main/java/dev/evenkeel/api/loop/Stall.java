package dev.evenkeel.api.loop;

import dev.evenkeel.api.Experimental;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A loop's thread does not move: what the watch saw. Immutable; made by Evenkeel; holds no payload
 * and no secret.
 *
 * @param loop its name
 * @param level which of the two thresholds has passed
 * @param since when what holds the thread began, by the loop thread's own stopwatch
 * @param fired when the watch noticed that the threshold had passed
 * @param dumped when the stack had been taken, which may be much later
 * @param doing in words, what holds the thread: handler, call, event
 * @param sequence number of the event in the history, if it is one that holds it
 * @param handler the handler, or the owner of the call, if one is known
 * @param waiting events that wait in the queue and behind the gate
 * @param queue the first of those that wait in the queue, and the operations that run, in words
 * @param stack where the thread was, innermost first, cut off at a limit
 */
@Experimental("what is known about a stall may grow")
public record Stall(
    String loop,
    Level level,
    Instant since,
    Instant fired,
    Instant dumped,
    String doing,
    Optional<Long> sequence,
    Optional<String> handler,
    int waiting,
    List<String> queue,
    List<StackTraceElement> stack) {
  /** Copies the lists. */
  public Stall {
    queue = List.copyOf(queue);
    stack = List.copyOf(stack);
  }

  /** The thresholds. */
  public enum Level {
    /** The first: it is reported. */
    WARNING,
    /** The second: the loop is not ready until its thread moves again. */
    LIMIT
  }
}
