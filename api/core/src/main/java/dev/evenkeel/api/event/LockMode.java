package dev.evenkeel.api.event;

/**
 * In which way an operation holds an id. The matrix is symmetric, and every pair that it does not
 * call compatible on the same id is refused (JT-19; operations reference, 2.4).
 */
public enum LockMode {
  /** Alone. For operations of users' own. */
  EXCLUSIVE,
  /** Together with other {@code SHARED} holders. For operations of users' own. */
  SHARED,
  /** A volume of that name is being made. */
  CREATE,
  /** A volume or a snapshot is being removed. */
  DELETE,
  /** A clone is being made of it. */
  CLONE_SOURCE,
  /** A snapshot is being made of it. */
  SNAPSHOT_SOURCE,
  /** A volume is being made of this snapshot. */
  RESTORE_SOURCE,
  /** It grows. Refused beside stage and unstage of the same scope (node). */
  EXPAND,
  /**
   * It is being staged or published. Refused beside itself and unstage of the same scope (target).
   */
  STAGE,
  /** It is being unstaged or unpublished. */
  UNSTAGE;

  /** Whether two operations may hold the same id at once, in these modes. */
  public boolean compatibleWith(LockMode other, boolean sameScope) {
    return together(this, other, sameScope) || together(other, this, sameScope);
  }

  private static boolean together(LockMode a, LockMode b, boolean sameScope) {
    return switch (a) {
      case SHARED, RESTORE_SOURCE -> b == a;
      case CLONE_SOURCE -> b == CLONE_SOURCE || b == SNAPSHOT_SOURCE || b.isOnNode();
      case SNAPSHOT_SOURCE -> b == SNAPSHOT_SOURCE || b.isOnNode();
      case EXPAND, STAGE, UNSTAGE -> b.isOnNode() && !sameScope;
      case EXCLUSIVE, CREATE, DELETE -> false;
    };
  }

  private boolean isOnNode() {
    return this == STAGE || this == UNSTAGE;
  }
}
