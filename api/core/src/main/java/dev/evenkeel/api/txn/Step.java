package dev.evenkeel.api.txn;

import java.time.Duration;
import java.util.Optional;

/**
 * One act on the outside that can be undone. Implemented by users.
 *
 * <p>All callbacks run on a worker, never on the loop, one at a time for one step, and may block. A
 * step captures immutable values only; it never touches a handler's state. Any exception means that
 * the act may or may not have happened: the probe tells. (Joints reference: rules 4 and 5, JT-3,
 * JT-4, JT-5.)
 *
 * @param <T> what it returns; an immutable value, such as a record
 */
public interface Step<T> {
  /**
   * Stable and unique within the transaction: history, journal and recordings use it. Lower case
   * with dashes, as a rule.
   */
  String name();

  /** Class of the result. */
  Class<T> resultType();

  /** Looks whether the act has been done already. No side effect. */
  Probe<T> probe(StepContext context) throws Exception;

  /** Does it, and must tolerate what a probe called partial. */
  T apply(StepContext context) throws Exception;

  /**
   * Takes it back; something absent counts as success. Gets what apply, or the probe that found it,
   * returned. Runs strictly in reverse order of the applies, and nothing behind it is undone when
   * it fails.
   */
  void undo(StepContext context, T done) throws Exception;

  /**
   * Takes back what a probe called partial after apply had failed. By default that is finished
   * first, and then undone; override it when a part can be removed without finishing it.
   */
  default void undoPartial(StepContext context) throws Exception {
    undo(context, apply(context));
  }

  /**
   * Whether it can be taken back. If not, the operation is rolled forward from here on: deletes and
   * expands.
   */
  default boolean undoable() {
    return true;
  }

  /** How long to wait for each callback; absent means the loop's default. */
  default Optional<Duration> limit() {
    return Optional.empty();
  }
}
