package dev.evenkeel.api.handler;

import dev.evenkeel.api.Epoch;
import java.time.Instant;

/**
 * What the journal says of an operation that was begun.
 *
 * @param transaction its id; a repeat that goes on with it keeps it
 * @param kind of the operation
 * @param subject what it was done to
 * @param version of the journal's record
 * @param fingerprint of its parameters
 * @param epoch of the leader that began it
 * @param begun when
 */
public record Intent(
    String transaction,
    String kind,
    String subject,
    int version,
    String fingerprint,
    Epoch epoch,
    Instant begun) {}
