package dev.evenkeel.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One thing that went wrong, as a value: normalised, without a stack, fit for a history and a
 * recording.
 *
 * @param key path of the value that failed, derived ones included; absent when no value was
 *     concerned
 * @param base path of the base value that {@code key} derives from, or {@code key} itself
 * @param owner who did it: name of the handler, or of the part of the framework, such as {@code
 *     loop} or {@code journal}
 * @param operation what was being done: {@code update}, {@code revert}, {@code create}, {@code
 *     apply image}, {@code undo image}
 * @param kind what sort of failure
 * @param message for people; never holds a secret
 * @param suppressed messages of what went wrong besides it, while the first error was dealt with:
 *     the suppressed errors of what was thrown; {@value #MOST_SUPPRESSED} at most
 */
public record Failure(
    Optional<String> key,
    Optional<String> base,
    String owner,
    String operation,
    ErrorKind kind,
    String message,
    List<String> suppressed) {
  /** How many suppressed errors a failure keeps; of more, the last entry says how many. */
  public static final int MOST_SUPPRESSED = 8;

  /** Copies the list; checks that nothing is null. */
  public Failure {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(base, "base");
    Objects.requireNonNull(owner, "owner");
    Objects.requireNonNull(operation, "operation");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(message, "message");
    suppressed = List.copyOf(suppressed);
  }

  /** A failure during which nothing else went wrong. */
  public Failure(
      Optional<String> key,
      Optional<String> base,
      String owner,
      String operation,
      ErrorKind kind,
      String message) {
    this(key, base, owner, operation, kind, message, List.of());
  }

  /** A failure that concerns no single value. */
  public static Failure of(String owner, String operation, ErrorKind kind, String message) {
    return new Failure(Optional.empty(), Optional.empty(), owner, operation, kind, message);
  }

  /**
   * A failure from something thrown: its kind by {@link EvenkeelException#kindOf}, its message or
   * its type's name, and the messages of what it suppressed.
   */
  public static Failure of(String owner, String operation, Throwable thrown) {
    return new Failure(
        Optional.empty(),
        Optional.empty(),
        owner,
        operation,
        EvenkeelException.kindOf(thrown),
        messageOf(thrown),
        suppressedBy(thrown));
  }

  /** The same failure, said of a value. */
  public Failure about(String keyPath, String basePath) {
    return new Failure(
        Optional.of(keyPath), Optional.of(basePath), owner, operation, kind, message, suppressed);
  }

  private static List<String> suppressedBy(Throwable thrown) {
    Throwable[] all = thrown.getSuppressed();
    List<String> messages = new ArrayList<>();
    for (Throwable one : all) {
      if (messages.size() == MOST_SUPPRESSED - 1 && all.length > MOST_SUPPRESSED) {
        messages.add("and " + (all.length - messages.size()) + " more");
        break;
      }
      messages.add(messageOf(one));
    }
    return messages;
  }

  private static String messageOf(Throwable thrown) {
    String message = thrown.getMessage();
    if (message == null || message.isBlank()) {
      return thrown.getClass().getSimpleName();
    }
    return thrown instanceof EvenkeelException
        ? message
        : thrown.getClass().getSimpleName() + ": " + message;
  }

  /** As one line of text. */
  @Override
  public String toString() {
    return owner + " " + operation + key.map(k -> " " + k).orElse("") + ": " + kind + " " + message;
  }
}
