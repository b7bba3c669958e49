package dev.evenkeel.api.volume;

/**
 * What a new volume begins as a copy of.
 *
 * @param kind of what
 * @param ref which one
 */
public record VolumeSource(Kind kind, ObjectRef ref) {
  /** Kinds of source. */
  public enum Kind {
    /** A snapshot: restore. */
    SNAPSHOT,
    /** A volume: clone. */
    VOLUME
  }

  @Override
  public String toString() {
    return (kind == Kind.SNAPSHOT ? "snapshot " : "volume ") + ref;
  }
}
