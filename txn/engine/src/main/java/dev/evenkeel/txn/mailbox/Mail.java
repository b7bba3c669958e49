package dev.evenkeel.txn.mailbox;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.txn.ObserveValues;
import dev.evenkeel.api.txn.ObservedValues;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.txn.Cursor;
import dev.evenkeel.txn.engine.EngineCore;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One thing in the queue. Immutable but for the number, which the queue gives. */
final class Mail {
  /** What begins it, on the engine's thread. */
  interface Begin {
    /** Absent when there is nothing to do any more. */
    Optional<Cursor<TransactionResult>> on(EngineCore core);
  }

  /** A question to the outside, and its answer. */
  record Look(ObserveValues asked, Promise<Seen> seen) {
    void fail(Failure why) {
      seen.finish(new Seen(new ObservedValues(List.of(), 0, List.of()), Optional.of(why)));
    }
  }

  /** The answer, or why there is none. */
  record Seen(ObservedValues values, Optional<Failure> failure) {}

  /** Sorts. */
  enum Sort {
    /** Somebody wants it: it counts towards the queue's limit. */
    ASKED,
    /** The engine's own: a retry, or a late return. */
    OWN,
    /** Nothing but a place in the queue. */
    BARRIER
  }

  final Sort sort;

  /** Absent for a barrier and a look. */
  final @Nullable Begin begin;

  /** What is to be looked at, if it is no transaction. */
  final @Nullable Look look;

  final Promise<TransactionResult> result;
  final Promise<Optional<Failure>> passed;
  long number = -1;

  private Mail(Sort sort, @Nullable Begin begin, @Nullable Look look, Promise.Guard guard) {
    this.sort = sort;
    this.begin = begin;
    this.look = look;
    this.result = new Promise<>(guard);
    this.passed = new Promise<>(guard);
  }

  static Mail asked(Begin begin, Promise.Guard guard) {
    return new Mail(Sort.ASKED, begin, null, guard);
  }

  static Mail own(Begin begin, Promise.Guard guard) {
    return new Mail(Sort.OWN, begin, null, guard);
  }

  static Mail look(ObserveValues asked, Promise.Guard guard) {
    return new Mail(Sort.ASKED, null, new Look(asked, new Promise<>(guard)), guard);
  }

  static Mail barrier(Promise.Guard guard) {
    return new Mail(Sort.BARRIER, null, null, guard);
  }

  /** A result without anything done. */
  TransactionResult nothing(TransactionOutcome outcome, Failure why) {
    return new TransactionResult(number, outcome, List.of(), List.of(), List.of(why));
  }
}
