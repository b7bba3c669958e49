package dev.evenkeel.controller.core;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.txn.TransactionResult;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An event that has just been answered, as {@link CountingListener}s see it: the numbers of a
 * record that nobody has to make. Of Evenkeel's own making; good for the length of the call, on the
 * loop's thread.
 */
@Experimental("made for counting")
public interface EndedEvent {
  /** Its number in the history. */
  long sequence();

  /** Name of its kind. */
  String typeName();

  /** How it was answered. */
  EventMethod method();

  /** When it began. */
  Instant begun();

  /** When it was answered. */
  Instant ended();

  /** From its beginning to its last call, by the stopwatch; negative when nobody had it run. */
  long tookNanos();

  /** Its outcome in one word. */
  String word();

  /** Every failure. */
  List<Failure> failures();

  /** What its transaction did. */
  Optional<TransactionResult> transaction();

  /** How many calls of handlers it had. */
  int calls();

  /** Whose call that was. */
  String handler(int call);

  /** How long it took. */
  long nanos(int call);

  /** Whether it failed. */
  boolean failed(int call);
}
