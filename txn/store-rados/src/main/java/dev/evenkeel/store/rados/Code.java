package dev.evenkeel.store.rados;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.datastore.DatastoreException;

/** What librados answers with: zero, or one of the system's numbers for errors, negative. */
final class Code {
  static final int ABSENT = -2;
  static final int EXISTS = -17;
  static final int STALE_VERSION = -34;
  static final int FUTURE_VERSION = -75;
  static final int TIMED_OUT = -110;
  static final int CANCELLED = -125;

  private static final int NOT_PERMITTED = -1;
  private static final int NO_ACCESS = -13;
  private static final int BUSY = -16;
  private static final int INVALID = -22;
  private static final int TOO_BIG = -27;
  private static final int NO_SPACE = -28;
  private static final int OP_TOO_BIG = -90;
  private static final int BLOCKLISTED = -108;
  private static final int QUOTA = -122;

  private Code() {}

  /** That a comparison did not hold: the object is not as it was assumed to be. */
  static boolean isMismatch(int code) {
    return code == CANCELLED || code == STALE_VERSION || code == FUTURE_VERSION || code == ABSENT;
  }

  /** The failure that a code stands for. */
  static DatastoreException failure(String about, int code) {
    return switch (code) {
      case NOT_PERMITTED, NO_ACCESS -> new DatastoreException.Unauthorized(about, null);
      case BUSY -> of(ErrorKind.BUSY, about, "is busy", code);
      case INVALID ->
          of(ErrorKind.INTERNAL, about, "the cluster takes the operation for wrong", code);
      case TOO_BIG, OP_TOO_BIG -> of(ErrorKind.OUT_OF_RANGE, about, "is too large", code);
      case NO_SPACE, QUOTA -> of(ErrorKind.RESOURCE_EXHAUSTED, about, "the cluster is full", code);
      case TIMED_OUT -> of(ErrorKind.UNAVAILABLE, about, "the cluster does not answer", code);
      case BLOCKLISTED ->
          of(
              ErrorKind.FAILED_PRECONDITION,
              about,
              "the cluster refuses this client: it is fenced",
              code);
      default -> of(ErrorKind.UNAVAILABLE, about, "the cluster failed", code);
    };
  }

  private static DatastoreException of(ErrorKind kind, String about, String what, int code) {
    return new DatastoreException(kind, about, about + ": " + what + " (" + code + ")", null);
  }
}
