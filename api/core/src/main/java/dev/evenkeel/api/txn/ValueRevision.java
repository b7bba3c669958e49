package dev.evenkeel.api.txn;

import dev.evenkeel.api.Experimental;
import java.time.Instant;
import java.util.Optional;

/**
 * One revision in the timeline of a key (transactions reference, rule 59). Immutable.
 *
 * @param transaction number of the one that made it
 * @param time when that one began
 * @param node what the value was then; absent when it was gone
 */
@Experimental("new")
public record ValueRevision(long transaction, Instant time, Optional<GraphNode> node) {}
