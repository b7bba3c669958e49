package dev.evenkeel.txn.engine;

import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.txn.RetryPolicy;
import dev.evenkeel.txn.TxnEntry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What the engine is to do in one transaction.
 *
 * @param method update, or which resync
 * @param revertOnFailure put everything back when something fails
 * @param description for people
 * @param entries what the handlers want; no {@link TxnEntry.Records}
 * @param keepOwners in a resync: handlers that failed, whose keys keep their last good values
 *     (JT-15)
 * @param frozen paths under a held lock, which a resync leaves alone (JT-7)
 * @param retry of the values that it puts
 * @param now when it begins
 */
public record EngineTransaction(
    EventMethod method,
    boolean revertOnFailure,
    String description,
    List<TxnEntry> entries,
    Set<String> keepOwners,
    Predicate<String> frozen,
    Optional<RetryPolicy> retry,
    Instant now) {
  /** Copies the collections. */
  public EngineTransaction {
    entries = List.copyOf(entries);
    keepOwners = Set.copyOf(keepOwners);
  }
}
