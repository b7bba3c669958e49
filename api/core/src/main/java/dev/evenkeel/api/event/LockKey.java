package dev.evenkeel.api.event;

import java.util.Comparator;

/**
 * What an operation locks, and how. Names and ids share one space: an operation that knows both
 * locks both.
 *
 * @param id what is locked, such as {@code volume/data-1}; an empty id never conflicts
 * @param mode in which way
 * @param scope the node or target that narrows stage and unstage; empty for all else
 */
public record LockKey(String id, LockMode mode, String scope) implements Comparable<LockKey> {
  private static final Comparator<LockKey> ORDER =
      Comparator.comparing(LockKey::id).thenComparing(LockKey::mode).thenComparing(LockKey::scope);

  /** A lock without a scope. */
  public static LockKey of(String id, LockMode mode) {
    return new LockKey(id, mode, "");
  }

  /** Whether both may be held at once. Different ids always may. */
  public boolean compatibleWith(LockKey other) {
    return id.isEmpty()
        || !id.equals(other.id)
        || mode.compatibleWith(other.mode, scope.equals(other.scope));
  }

  @Override
  public int compareTo(LockKey other) {
    return ORDER.compare(this, other);
  }
}
