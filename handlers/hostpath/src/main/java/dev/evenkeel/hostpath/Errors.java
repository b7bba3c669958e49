package dev.evenkeel.hostpath;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.Locale;
import java.util.function.BooleanSupplier;

/** Turns what the file system says into the kinds of error that callers decide by. */
final class Errors {
  private Errors() {}

  static EvenkeelException of(String doing, IOException thrown) {
    return of(doing, thrown, () -> false);
  }

  /** The same; when nothing else is known, a full file system is the reason. */
  static EvenkeelException of(String doing, IOException thrown, BooleanSupplier full) {
    String text = String.valueOf(thrown.getMessage());
    ErrorKind kind = kind(thrown, text);
    if (kind == ErrorKind.INTERNAL && full.getAsBoolean()) {
      kind = ErrorKind.RESOURCE_EXHAUSTED;
    }
    return new EvenkeelException(kind, doing + ": " + detail(thrown, text), thrown);
  }

  static EvenkeelException notFound(String image) {
    return new EvenkeelException(ErrorKind.NOT_FOUND, "there is no image " + image);
  }

  private static ErrorKind kind(IOException thrown, String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (lower.contains("no space left") || lower.contains("quota exceeded")) {
      return ErrorKind.RESOURCE_EXHAUSTED;
    }
    if (lower.contains("file too large")) {
      return ErrorKind.OUT_OF_RANGE;
    }
    if (lower.contains("read-only file system")) {
      return ErrorKind.FAILED_PRECONDITION;
    }
    if (thrown instanceof AccessDeniedException || lower.contains("operation not permitted")) {
      return ErrorKind.UNAUTHORIZED;
    }
    return ErrorKind.INTERNAL;
  }

  private static String detail(IOException thrown, String text) {
    return thrown instanceof AccessDeniedException
        ? text + ": permission denied"
        : thrown.getClass() == IOException.class
            ? text
            : thrown.getClass().getSimpleName() + " " + text;
  }
}
