package dev.evenkeel.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.HandlerRecord;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.controller.manual.ManualLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What became of an event, to be looked at. Made by {@link LoopTestKit}; each method fails the test
 * with all that is known when it does not hold, and gives the same object back otherwise.
 *
 * @param <R> type of the answer
 */
public final class Then<R> {
  private static final int NEWEST = 1000;

  private final ManualLoop loop;
  private final Submission<R> submission;

  Then(ManualLoop loop, Submission<R> submission) {
    this.loop = loop;
    this.submission = submission;
  }

  /** It took hold, without a failure. */
  public Then<R> applied() {
    assertTrue(outcome().isSuccess(), this::toString);
    return this;
  }

  /** It took hold as far as it could. */
  public Then<R> appliedWithErrors() {
    return word("applied with errors");
  }

  /** It failed, and everything was put back. */
  public Then<R> reverted() {
    return word("reverted");
  }

  /** It was refused, and nothing was done. */
  public Then<R> refused() {
    return word("refused");
  }

  private Then<R> word(String expected) {
    assertEquals(expected, outcome().word(), this::toString);
    return this;
  }

  /** It waits, behind the gate or for a call that is held back. */
  public Then<R> waits() {
    assertTrue(known().isEmpty(), this::toString);
    return this;
  }

  /** It was answered with that. */
  public Then<R> answers(R expected) {
    assertEquals(Optional.of(expected), outcome().answer(), this::toString);
    return this;
  }

  /** The failure that decided is of that kind. */
  public Then<R> failsWith(ErrorKind kind) {
    assertTrue(!outcome().failures().isEmpty(), this::toString);
    assertEquals(kind, outcome().failures().get(0).kind(), this::toString);
    return this;
  }

  /**
   * The handlers' calls, in order: {@code quota.U} for an update, {@code quota.R} for a resync,
   * {@code quota.V} for a revert.
   */
  public Then<R> trace(String... calls) {
    EventRecord record = record();
    String letter = record.method() == EventMethod.UPDATE ? ".U" : ".R";
    List<String> seen = new ArrayList<>();
    for (HandlerRecord call : record.handlers()) {
      seen.add(call.handler() + (call.revert() ? ".V" : letter));
    }
    assertEquals(List.of(calls), seen, this::toString);
    return this;
  }

  /** What was done to values, in order: {@code CREATE /net/interfaces/eth0}. */
  public Then<R> operations(String... operations) {
    List<String> seen =
        transaction().stream()
            .flatMap(result -> result.operations().stream())
            .map(operation -> operation.operation() + " " + operation.key())
            .toList();
    assertEquals(List.of(operations), seen, this::toString);
    return this;
  }

  /** What became of the steps, in order: {@code create-image DONE}. */
  public Then<R> steps(String... steps) {
    List<String> seen =
        transaction().stream()
            .flatMap(result -> result.steps().stream())
            .map(step -> step.name() + " " + step.act())
            .toList();
    assertEquals(List.of(steps), seen, this::toString);
    return this;
  }

  /** Where a value stands now. */
  public Then<R> value(Key<?> key, ValueState expected) {
    assertEquals(expected, loop.values().status(key).state(), this::toString);
    return this;
  }

  private Optional<TransactionResult> transaction() {
    return record().transaction();
  }

  private Optional<Outcome<R>> known() {
    return Optional.ofNullable(submission.outcome().toCompletableFuture().getNow(null));
  }

  /** Its outcome, as it is. */
  public Outcome<R> outcome() {
    return known().orElseGet(() -> fail(submission.id() + " has no outcome yet"));
  }

  /** Its entry in the history, as it is. */
  public EventRecord record() {
    return history().orElseGet(() -> fail(submission.id() + " has not begun"));
  }

  private Optional<EventRecord> history() {
    return loop.history().last(NEWEST).stream()
        .filter(record -> record.id().equals(submission.id()))
        .findFirst();
  }

  @Override
  public String toString() {
    return known().map(Object::toString).orElse("no outcome yet")
        + history().map(record -> "\n" + record).orElse("");
  }
}
