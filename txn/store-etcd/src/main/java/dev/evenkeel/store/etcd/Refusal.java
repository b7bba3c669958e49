package dev.evenkeel.store.etcd;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.datastore.DatastoreException;
import io.grpc.Status;
import java.util.Set;
import javax.net.ssl.SSLException;

/**
 * A call that etcd, or the road to it, did not answer as asked. Never leaves the room: {@link
 * #typed} says it in the datastore's terms.
 */
final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final Set<Status.Code> CERTAIN =
      Set.of(
          Status.Code.INVALID_ARGUMENT,
          Status.Code.NOT_FOUND,
          Status.Code.ALREADY_EXISTS,
          Status.Code.PERMISSION_DENIED,
          Status.Code.UNAUTHENTICATED,
          Status.Code.RESOURCE_EXHAUSTED,
          Status.Code.FAILED_PRECONDITION,
          Status.Code.OUT_OF_RANGE,
          Status.Code.UNIMPLEMENTED);

  private final transient Status status;
  private final boolean sent;

  /** With whether anything of the request can have reached etcd. */
  Refusal(Status status, boolean sent) {
    super(status.toString(), status.getCause());
    this.status = status;
    this.sent = sent;
  }

  Status.Code code() {
    return status.getCode();
  }

  /** Whether a write may have been done, or may be done yet. */
  boolean mayHaveHappened() {
    return sent && !CERTAIN.contains(status.getCode()) && !says("etcdserver: no leader");
  }

  /** The token is not good any more: nothing was done, and a new login helps. */
  boolean tokenIsOld() {
    return says("etcdserver: invalid auth token")
        || says("etcdserver: revision of auth store is old");
  }

  /** Whether it may go away by itself. */
  boolean isPassing() {
    return typed("").kind() == ErrorKind.UNAVAILABLE
        || typed("").kind() == ErrorKind.DEADLINE_EXCEEDED;
  }

  boolean says(String text) {
    String description = status.getDescription();
    return description != null && description.contains(text);
  }

  /** The same in the datastore's terms, about a path or a list's root. */
  DatastoreException typed(String about) {
    if (isUnauthorized()) {
      return new DatastoreException.Unauthorized(about, this);
    }
    return switch (status.getCode()) {
      case DEADLINE_EXCEEDED ->
          failure(ErrorKind.DEADLINE_EXCEEDED, about, "etcd has not answered in time");
      case CANCELLED -> failure(ErrorKind.UNAVAILABLE, about, "the call to etcd was cut off");
      case OUT_OF_RANGE -> outOfRange(about);
      case RESOURCE_EXHAUSTED ->
          failure(ErrorKind.RESOURCE_EXHAUSTED, about, "etcd has no room for it");
      case FAILED_PRECONDITION ->
          failure(ErrorKind.FAILED_PRECONDITION, about, "etcd's state forbids it");
      case INVALID_ARGUMENT -> invalid(about);
      case UNIMPLEMENTED ->
          failure(
              ErrorKind.UNIMPLEMENTED, about, "this etcd cannot do it: it must be 3.4 or newer");
      default -> failure(ErrorKind.UNAVAILABLE, about, "etcd cannot be reached, or is not working");
    };
  }

  private boolean isUnauthorized() {
    return status.getCode() == Status.Code.PERMISSION_DENIED
        || status.getCode() == Status.Code.UNAUTHENTICATED
        || says("etcdserver: authentication failed")
        || says("etcdserver: user name is empty")
        || says("etcdserver: permission denied")
        || causedBySsl();
  }

  /** Connections that fail in the handshake: one of the two does not trust the other. */
  private boolean causedBySsl() {
    Throwable cause = status.getCause();
    for (int depth = 0; cause != null && depth < 10; depth++) {
      if (cause instanceof SSLException) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  private DatastoreException outOfRange(String about) {
    return failure(
        ErrorKind.OUT_OF_RANGE,
        about,
        says("compacted")
            ? "that revision is compacted: read anew"
            : "that revision is in the future");
  }

  private DatastoreException invalid(String about) {
    return says("too large")
        ? failure(ErrorKind.OUT_OF_RANGE, about, "larger than etcd takes")
        : failure(ErrorKind.INVALID, about, "etcd does not take it");
  }

  private DatastoreException failure(ErrorKind kind, String about, String text) {
    String target = about.isEmpty() ? "" : about + ": ";
    return new DatastoreException(kind, about, target + text, this);
  }
}
