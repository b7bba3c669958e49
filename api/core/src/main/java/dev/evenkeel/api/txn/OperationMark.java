package dev.evenkeel.api.txn;

import dev.evenkeel.api.Experimental;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * What a reader of a record wants to see of an operation at a glance: its flags, and what its
 * states before and after say. Computed from the record, never stored.
 */
@Experimental("new")
public enum OperationMark {
  /** Of a derived value. */
  DERIVED,
  /** Of a derived value without a descriptor. */
  PROPERTY,
  /** Nothing was called. */
  NOOP,
  /** Puts back. */
  REVERT,
  /** Tries again. */
  RETRY,
  /** Part of a delete and create that replace an update. */
  RECREATE,
  /** The outside's own. */
  OBTAINED,
  /** The outside's own until now. */
  WAS_OBTAINED,
  /** No descriptor describes it. */
  UNIMPLEMENTED,
  /** No descriptor described it until now. */
  WAS_UNIMPLEMENTED,
  /** To be removed, and had been removed already. */
  ALREADY_REMOVED,
  /** To be removed, and a refresh had not found it. */
  ALREADY_MISSING,
  /** A refresh had not found it; now it is there again. */
  WAS_MISSING,
  /** Had been found as ours, and not been applied in this run. */
  DISCOVERED,
  /** Waits for what it needs. */
  IS_PENDING,
  /** Waited, and still waits. */
  STILL_PENDING,
  /** Waited until now. */
  WAS_PENDING,
  /** Failed. */
  FAILED,
  /** Failed, as before. */
  STILL_FAILING,
  /** Had failed or been invalid, and is right now. */
  FIXED,
  /** Was refused by its descriptor. */
  INVALID,
  /** Was refused by its descriptor, as before. */
  STILL_INVALID;

  /** As it is shown: {@code STILL-PENDING}. */
  public String text() {
    return name().replace('_', '-').toUpperCase(Locale.ROOT);
  }

  /** The marks of an operation, in the order of this enum. Pure. */
  public static Set<OperationMark> of(OperationRecord operation) {
    EnumSet<OperationMark> marks = EnumSet.noneOf(OperationMark.class);
    operation.flags().forEach(flag -> marks.add(valueOf(flag.name())));
    ValueState before = operation.before();
    ValueState after = operation.after();
    if (!failed(after) && after != ValueState.INVALID) {
      ended(marks, operation);
    }
    switch (after) {
      case OBTAINED -> marks.add(OBTAINED);
      case UNIMPLEMENTED -> marks.add(UNIMPLEMENTED);
      case PENDING -> marks.add(before == after ? STILL_PENDING : IS_PENDING);
      case INVALID -> marks.add(before == after ? STILL_INVALID : INVALID);
      case FAILED, RETRYING -> marks.add(failed(before) ? STILL_FAILING : FAILED);
      default -> {
        // nothing to be seen
      }
    }
    if (before == ValueState.DISCOVERED) {
      marks.add(DISCOVERED);
    }
    return Collections.unmodifiableSet(marks);
  }

  /** What the operation has put an end to. */
  private static void ended(Set<OperationMark> marks, OperationRecord operation) {
    ValueState before = operation.before();
    boolean delete = operation.operation() == ValueOperation.DELETE;
    if (failed(before) || before == ValueState.INVALID) {
      marks.add(FIXED);
    } else if (before == ValueState.MISSING) {
      marks.add(delete ? ALREADY_MISSING : WAS_MISSING);
    } else if (before == ValueState.REMOVED && delete) {
      marks.add(ALREADY_REMOVED);
    } else if (before == operation.after()) {
      return;
    } else if (before == ValueState.PENDING) {
      marks.add(WAS_PENDING);
    } else if (before == ValueState.OBTAINED) {
      marks.add(WAS_OBTAINED);
    } else if (before == ValueState.UNIMPLEMENTED) {
      marks.add(WAS_UNIMPLEMENTED);
    }
  }

  private static boolean failed(ValueState state) {
    return state == ValueState.FAILED || state == ValueState.RETRYING;
  }
}
