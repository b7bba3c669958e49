package dev.evenkeel.api;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Root of all exceptions that Evenkeel throws, and what handlers, steps, descriptors and backends
 * throw when they know the {@link ErrorKind}. Any other exception out of user code counts as {@link
 * ErrorKind#INTERNAL}.
 *
 * <p>The message says what was wrong, where, and what to do; it never holds a secret.
 */
public class EvenkeelException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorKind kind;
  private final String text;

  /** A failure of the given kind. */
  public EvenkeelException(ErrorKind kind, String message) {
    this(kind, message, null);
  }

  /** A failure of the given kind with its cause. */
  public EvenkeelException(ErrorKind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = Objects.requireNonNull(kind, "kind");
    this.text = Objects.requireNonNull(message, "message");
  }

  /** What was wrong, where, and what to do; never null. */
  @Override
  public final String getMessage() {
    return text;
  }

  /** What sort of failure this is. */
  public final ErrorKind kind() {
    return kind;
  }

  /**
   * The kind that a throwable carries, looking through its causes (ten deep at most): the first
   * {@link EvenkeelException} decides, else {@link ErrorKind#INTERNAL}.
   */
  public static ErrorKind kindOf(Throwable thrown) {
    Throwable t = thrown;
    for (int depth = 0; t != null && depth < 10; depth++, t = t.getCause()) {
      if (t instanceof EvenkeelException e) {
        return e.kind;
      }
    }
    return ErrorKind.INTERNAL;
  }
}
