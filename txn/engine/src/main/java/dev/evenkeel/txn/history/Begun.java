package dev.evenkeel.txn.history;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.txn.TransactionKind;
import dev.evenkeel.api.txn.TransactionRecord.RetryOf;
import java.time.Instant;
import java.util.Optional;

/**
 * How a transaction began. Told by the engine.
 *
 * @param number of the transaction
 * @param kind why it was run
 * @param method update, or which resync
 * @param description for people
 * @param retryOf what it tries again, when it is a retry
 * @param dryRun whether it is only a plan
 * @param start when it began
 */
@Experimental("new")
public record Begun(
    long number,
    TransactionKind kind,
    EventMethod method,
    String description,
    Optional<RetryOf> retryOf,
    boolean dryRun,
    Instant start) {}
