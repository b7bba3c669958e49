package dev.evenkeel.api.loop;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.txn.TransactionResult;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One entry of the history: an event with what its handlers and its transaction did. Immutable;
 * holds no payload and no secret.
 *
 * @param sequence from 0, in the order in which first turns began
 * @param id given when it was pushed
 * @param parent sequence number of the event that it follows up
 * @param type name of its kind
 * @param description the event's own words
 * @param method how it was answered
 * @param pushed when it was accepted, or made by the loop
 * @param start when its first turn began
 * @param end when it was answered; absent while it runs
 * @param chain the handlers that were asked, in the order in which they were called
 * @param handlers what they did
 * @param transaction what its transaction did; absent while it runs and when there was none
 * @param outcome its outcome in one word; absent while it runs
 * @param failures every failure, the one that decided first
 */
public record EventRecord(
    long sequence,
    EventId id,
    Optional<Long> parent,
    String type,
    String description,
    EventMethod method,
    Instant pushed,
    Instant start,
    Optional<Instant> end,
    List<String> chain,
    List<HandlerRecord> handlers,
    Optional<TransactionResult> transaction,
    Optional<String> outcome,
    List<Failure> failures) {
  /** Copies the lists. */
  public EventRecord {
    chain = List.copyOf(chain);
    handlers = List.copyOf(handlers);
    failures = List.copyOf(failures);
  }
}
