package dev.evenkeel.api.txn;

import dev.evenkeel.api.Failure;
import java.util.Optional;
import java.util.Set;

/**
 * One executed or planned operation on a value. Immutable.
 *
 * @param operation what was done
 * @param key path of the value
 * @param base path of the base value that it derives from, or {@code key} itself
 * @param owner handler that wanted the value, or the part of the framework
 * @param before state before
 * @param after state after
 * @param previous value before, when there was one
 * @param current value after, when there is one
 * @param previousFailure why the operation before it had failed, if it had
 * @param failure why it failed, if it did
 * @param flags what is special about it
 */
public record OperationRecord(
    ValueOperation operation,
    String key,
    String base,
    String owner,
    ValueState before,
    ValueState after,
    Optional<Object> previous,
    Optional<Object> current,
    Optional<Failure> previousFailure,
    Optional<Failure> failure,
    Set<OperationFlag> flags) {
  /** Copies the flags, in their own order; equal ones are shared by all records. */
  public OperationRecord {
    flags = FlagSet.of(flags);
  }
}
