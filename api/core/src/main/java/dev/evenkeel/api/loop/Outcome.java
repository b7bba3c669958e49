package dev.evenkeel.api.loop;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.Failure;
import java.util.List;
import java.util.Optional;

/**
 * What became of an event: every accepted event gets exactly one. Immutable, made by Evenkeel.
 *
 * @param <R> type of the answer of a request; {@link Void} for other events
 */
public sealed interface Outcome<R> {
  /** The event. */
  EventId event();

  /** Every failure, the one that decided first; none means clean. */
  List<Failure> failures();

  /** The answer, if the event was a request, was applied, and a handler answered. */
  default Optional<R> answer() {
    return Optional.empty();
  }

  /** Whether it was applied without a failure. */
  default boolean isSuccess() {
    return (this instanceof Applied<R> && failures().isEmpty())
        || (this instanceof Superseded<R> superseded && superseded.by().isSuccess());
  }

  /**
   * The answer of a request that succeeded.
   *
   * @throws OutcomeException when it did not, or when nobody answered
   */
  default R orThrow() {
    if (!isSuccess()) {
      throw new OutcomeException(this);
    }
    return answer().orElseThrow(() -> new OutcomeException(this));
  }

  /** Throws {@link OutcomeException} unless it succeeded. For events without an answer. */
  default void throwIfFailed() {
    if (!isSuccess()) {
      throw new OutcomeException(this);
    }
  }

  /**
   * In one word: applied, reverted, refused, unfinished, dropped, superseded; "with errors" or
   * "incompletely" where it fits.
   */
  String word();

  /**
   * It took hold; with failures only when it was best effort.
   *
   * @param answer of a request
   */
  record Applied<R>(EventId event, Optional<R> answer, List<Failure> failures)
      implements Outcome<R> {
    /** Copies the failures. */
    public Applied {
      failures = List.copyOf(failures);
    }

    @Override
    public String word() {
      return failures.isEmpty() ? "applied" : "applied with errors";
    }
  }

  /**
   * It failed, and everything was put back.
   *
   * @param complete false when putting back failed somewhere: the failures say where
   */
  record Reverted<R>(EventId event, List<Failure> failures, boolean complete)
      implements Outcome<R> {
    /** Copies the failures. */
    public Reverted {
      failures = List.copyOf(failures);
    }

    @Override
    public String word() {
      return complete ? "reverted" : "reverted incompletely";
    }
  }

  /**
   * Nothing was done on the outside, and the handlers are as before: invalid, busy, not found, or
   * an operation that could not be planned.
   */
  record Refused<R>(EventId event, List<Failure> failures) implements Outcome<R> {
    /** Copies the failures. */
    public Refused {
      failures = List.copyOf(failures);
    }

    @Override
    public String word() {
      return "refused";
    }
  }

  /**
   * Its deadline passed; what runs goes on, locks and keys stay held until it has returned (JT-4).
   * Repeat the same request.
   */
  record Unfinished<R>(EventId event, List<Failure> failures) implements Outcome<R> {
    /** Copies the failures. */
    public Unfinished {
      failures = List.copyOf(failures);
    }

    @Override
    public String word() {
      return "unfinished";
    }
  }

  /** The loop was closed, or is aborting, before it was processed. */
  record Dropped<R>(EventId event, List<Failure> failures) implements Outcome<R> {
    /** Copies the failures. */
    public Dropped {
      failures = List.copyOf(failures);
    }

    @Override
    public String word() {
      return "dropped";
    }
  }

  /**
   * It never ran, since a newer event of its type and {@link
   * dev.evenkeel.api.event.EventSpec#coalesce key} took its place; it shares the fate of that one.
   *
   * @param by what became of the event that ran, or was to run, in its place; never superseded
   *     itself
   */
  @Experimental
  record Superseded<R>(EventId event, Outcome<R> by) implements Outcome<R> {
    @Override
    public List<Failure> failures() {
      return by.failures();
    }

    @Override
    public String word() {
      return "superseded";
    }
  }

  /**
   * An outcome that was not a success, as an exception with the primary failure's kind and text.
   */
  final class OutcomeException extends EvenkeelException {
    private static final long serialVersionUID = 1L;

    private final transient Outcome<?> outcome;

    OutcomeException(Outcome<?> outcome) {
      super(
          outcome.failures().isEmpty() ? ErrorKind.INTERNAL : outcome.failures().get(0).kind(),
          text(outcome));
      this.outcome = outcome;
    }

    private static String text(Outcome<?> outcome) {
      String head = "event " + outcome.event() + " was " + outcome.word();
      return outcome.failures().isEmpty()
          ? head + ", and nobody answered"
          : head + ": " + outcome.failures().get(0);
    }

    /** The whole outcome. */
    public Outcome<?> outcome() {
      return outcome;
    }
  }
}
