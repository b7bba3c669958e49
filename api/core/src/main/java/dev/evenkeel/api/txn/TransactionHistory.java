package dev.evenkeel.api.txn;

import dev.evenkeel.api.Experimental;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What an engine's transactions did, and what the graph was after each (transactions reference,
 * rules 58 and 59). Implemented by Evenkeel; any thread, never blocks and never holds up the
 * engine: all that is given is immutable. Bounded by count, bytes and age; an initial period is
 * kept beyond those, within bounds of its own, but for its graphs. Readable after the engine has
 * ended.
 */
@Experimental("new")
public interface TransactionHistory {
  /**
   * The record of a transaction, in O(1); absent when it is not kept (any more). The one that runs
   * is found as well, as a preliminary record.
   */
  Optional<TransactionRecord> find(long number);

  /**
   * Records of transactions that began in a period, both ends included, oldest first; the one that
   * runs comes last.
   *
   * @param limit the newest so many; positive
   */
  List<TransactionRecord> between(Instant since, Instant until, int limit);

  /** The newest records, oldest first; the one that runs comes last. */
  List<TransactionRecord> last(int limit);

  /** Revisions of a key, oldest first, as far back as graphs are kept; the newest ones of many. */
  List<ValueRevision> timeline(String key);

  /** The graph after a transaction; absent when it is not kept, or still runs. */
  Optional<GraphSnapshot> graphAfter(long number);

  /** The graph at a time: after the last transaction that had ended by then. */
  Optional<GraphSnapshot> graphAt(Instant time);

  /** How many records are kept. */
  int count();

  /** About how many bytes they take, graphs included. */
  long bytes();
}
