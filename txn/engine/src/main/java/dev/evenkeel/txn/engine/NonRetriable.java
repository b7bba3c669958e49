package dev.evenkeel.txn.engine;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Experimental;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Classes of exceptions after which nothing is tried again, whatever a descriptor says of them. One
 * per engine. Any thread may add at any time; it counts from the next failure on. In a loop whose
 * runs are recorded add before the start, since what is added is no part of a recording.
 *
 * <p>Failures that say {@link ErrorKind#INVALID} or {@link ErrorKind#UNIMPLEMENTED} are never
 * retried; {@link UnsupportedOperationException} is in the list from the beginning.
 */
@Experimental("new")
public final class NonRetriable {
  private static final int DEEPEST = 10;

  private final List<Class<? extends Throwable>> classes = new CopyOnWriteArrayList<>();

  /** The list that an engine begins with. */
  public NonRetriable() {
    classes.add(UnsupportedOperationException.class);
  }

  /** Adds a class and all that extend it. */
  public NonRetriable add(Class<? extends Throwable> type) {
    if (!classes.contains(type)) {
      classes.add(type);
    }
    return this;
  }

  /** Whether it, or one of its causes (ten deep at most), is not worth trying again. */
  public boolean matches(Throwable thrown) {
    ErrorKind kind = EvenkeelException.kindOf(thrown);
    if (kind == ErrorKind.INVALID || kind == ErrorKind.UNIMPLEMENTED) {
      return true;
    }
    @Nullable Throwable t = thrown;
    for (int depth = 0; t != null && depth < DEEPEST; depth++, t = t.getCause()) {
      for (Class<? extends Throwable> type : classes) {
        if (type.isInstance(t)) {
          return true;
        }
      }
    }
    return false;
  }
}
