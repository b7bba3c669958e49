package dev.evenkeel.txn.operation;

import dev.evenkeel.api.event.Lane;
import java.time.Instant;
import java.util.Optional;

/**
 * What the journal keeps of a successful operation that made something, so that a repeat is known
 * (JT-13). Flat. Written by {@link Journal}; public for codecs and for those who list a store.
 *
 * @param version of the record's form
 * @param transaction id of the operation
 * @param kind of the operation
 * @param subject what it was done to
 * @param fingerprint of its parameters; absent when it is empty
 * @param completed when
 */
public record DoneRecord(
    int version,
    String transaction,
    String kind,
    String subject,
    Optional<String> fingerprint,
    Instant completed) {
  /** The version that is written, and the newest one that is understood. */
  public static final int VERSION = 1;

  /** Whether the operation is the one that was completed. */
  boolean isSame(Lane.Operation operation) {
    return kind.equals(operation.kind()) && fingerprint.orElse("").equals(operation.fingerprint());
  }
}
