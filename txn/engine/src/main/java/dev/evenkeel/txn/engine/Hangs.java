package dev.evenkeel.txn.engine;

import dev.evenkeel.txn.Action;
import java.util.IdentityHashMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Calls whose limit has passed and which have not returned (JT-4). Loop thread only. */
final class Hangs {
  private final IdentityHashMap<Action, Hang> byAction = new IdentityHashMap<>();

  /**
   * One call.
   *
   * @param node whose value it is about, or absent for a step or a retrieve
   * @param bound whose retrieve it is, or absent
   * @param wanted value that it was to apply, or absent
   */
  record Hang(@Nullable Node node, @Nullable Bound<?, ?> bound, @Nullable Object wanted) {}

  void add(Action action, Hang hang) {
    byAction.put(action, hang);
    if (hang.node() != null) {
      hang.node().hung = true;
    }
    if (hang.bound() != null) {
      hang.bound().hung = true;
    }
  }

  /** A call that has not been taken. */
  Optional<Hang> find(Action action) {
    return Optional.ofNullable(byAction.get(action));
  }

  /** Takes a call that has returned. */
  Optional<Hang> take(Action action) {
    Hang hang = byAction.remove(action);
    if (hang == null) {
      return Optional.empty();
    }
    if (hang.node() != null) {
      hang.node().hung = false;
    }
    if (hang.bound() != null) {
      hang.bound().hung = false;
    }
    return Optional.of(hang);
  }
}
