package dev.evenkeel.txn.engine;

import dev.evenkeel.api.Experimental;
import java.time.Instant;

/**
 * A retry that an engine has planned (transactions reference, rules 38 to 40). Immutable.
 *
 * @param due when it may begin
 * @param original number of the transaction in which its values failed first
 * @param attempt from 1
 * @param revert it tries again to put back
 */
@Experimental("new")
public record PlannedRetry(Instant due, long original, int attempt, boolean revert) {}
