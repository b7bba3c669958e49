package dev.evenkeel.api.volume;

/**
 * Says which volume or snapshot is meant: by the name of the request that made it, or by its id.
 *
 * @param by name or id
 * @param text the name or the id
 */
public record ObjectRef(By by, String text) {
  /** How it is meant. */
  public enum By {
    /** By the name that it was requested under. */
    NAME,
    /** By the id that creating it answered. */
    ID
  }

  /** Checks the text. */
  public ObjectRef {
    VolumeNames.check(by == By.NAME ? "reference by name" : "reference by id", text);
  }

  /** By name. */
  public static ObjectRef named(String name) {
    return new ObjectRef(By.NAME, name);
  }

  /** By id. */
  public static ObjectRef id(String id) {
    return new ObjectRef(By.ID, id);
  }

  @Override
  public String toString() {
    return text;
  }
}
