package dev.evenkeel.txn.operation;

import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.txn.Results;
import java.util.HashMap;
import java.util.Map;

/** What the steps of a script have returned so far. Written between two actions. */
final class RunResults implements Results {
  private final Map<String, Object> byName = new HashMap<>();

  void put(String step, Object value) {
    byName.put(step, value);
  }

  @Override
  public <T> T get(Ref<T> ref) {
    Object value = byName.get(ref.name());
    if (value == null) {
      throw new NotRunException(ref.name());
    }
    return ref.type().cast(value);
  }

  /** The step asked for has not run. */
  static final class NotRunException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    NotRunException(String step) {
      super("step " + step + " has not run");
    }

    /** Whether that is why something was thrown, looking ten causes deep. */
    static boolean isBehind(Throwable thrown) {
      Throwable t = thrown;
      for (int depth = 0; t != null && depth < 10; depth++, t = t.getCause()) {
        if (t instanceof NotRunException) {
          return true;
        }
      }
      return false;
    }
  }
}
