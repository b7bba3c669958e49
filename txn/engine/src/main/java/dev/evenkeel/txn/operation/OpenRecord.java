package dev.evenkeel.txn.operation;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.handler.Intent;
import java.time.Instant;
import java.util.Optional;

/**
 * What the journal stores of an operation that has begun and not ended: its intent. Flat, without
 * secrets. Written by {@link Journal}; public for codecs and for those who list a store.
 *
 * @param version of the record's form
 * @param transaction id of the operation
 * @param kind of the operation
 * @param subject what it is done to
 * @param fingerprint of its parameters; absent when it is empty
 * @param completion what the journal keeps when it has succeeded
 * @param eventType name of the event's type
 * @param eventVersion version of the event's stored form
 * @param event its stored form, so that the operation can be planned again to undo it
 * @param epoch of the leader that runs it; 0 without an election
 * @param begun when
 */
public record OpenRecord(
    int version,
    String transaction,
    String kind,
    String subject,
    Optional<String> fingerprint,
    Lane.Completion completion,
    String eventType,
    int eventVersion,
    String event,
    long epoch,
    Instant begun) {
  /** The version that is written, and the newest one that is understood. */
  public static final int VERSION = 1;

  /** As handlers see it. */
  public Intent intent() {
    return new Intent(
        transaction, kind, subject, version, fingerprint.orElse(""), new Epoch(epoch), begun);
  }

  /** Whether the operation is the one that was begun. */
  boolean isSame(Lane.Operation operation) {
    return kind.equals(operation.kind()) && fingerprint.orElse("").equals(operation.fingerprint());
  }
}
