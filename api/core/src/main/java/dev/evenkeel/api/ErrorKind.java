package dev.evenkeel.api;

/**
 * What sort of thing went wrong: a small fixed set that every {@link Failure} and {@link
 * EvenkeelException} carries and that maps one to one to the status codes of gRPC (operations
 * reference, section 5).
 */
public enum ErrorKind {
  /** The input is wrong and will stay wrong: repeat it only when corrected. */
  INVALID,
  /** What the request refers to is not there. */
  NOT_FOUND,
  /** The name is taken by something incompatible. */
  ALREADY_EXISTS,
  /**
   * Something else is in progress on the same thing, or a compare-and-set lost its race: repeat the
   * same request later.
   */
  BUSY,
  /**
   * The system's state forbids it, and repeating alone will not help: in use, has snapshots,
   * written by a newer version.
   */
  FAILED_PRECONDITION,
  /** Out of space, queue full, too many of something. */
  RESOURCE_EXHAUSTED,
  /** A size beyond its limit. */
  OUT_OF_RANGE,
  /** This handler, descriptor, store or backend cannot do that. */
  UNIMPLEMENTED,
  /**
   * The other side cannot be reached, or the loop is closed; whether the act happened may be
   * unknown.
   */
  UNAVAILABLE,
  /** The time limit passed; the act may still be going on. */
  DEADLINE_EXCEEDED,
  /** The caller gave up. */
  CANCELLED,
  /** Not allowed or not authenticated. */
  UNAUTHORIZED,
  /** Anything else, an exception out of user code included. */
  INTERNAL;

  /**
   * Whether the failure says for certain that nothing of the act is still running. A failure that
   * is not final leaves the state uncertain: repeat the same request (operations reference, 3.10).
   */
  public boolean isFinal() {
    return this != BUSY && this != UNAVAILABLE && this != DEADLINE_EXCEEDED && this != CANCELLED;
  }
}
