package dev.evenkeel.api.volume;

/** Kinds of object that have a reservation. */
public enum ObjectKind {
  /** A volume. */
  VOLUME("volumes", "csi-vol-"),
  /** A snapshot. */
  SNAPSHOT("snapshots", "csi-snap-"),
  /** A group of snapshots. */
  GROUP("groups", "csi-vol-group-");

  private final String directory;
  private final String imagePrefix;

  ObjectKind(String directory, String imagePrefix) {
    this.directory = directory;
    this.imagePrefix = imagePrefix;
  }

  /** Where its records live. */
  public String directory() {
    return directory;
  }

  /** The default beginning of its images' names; the object's UUID follows. */
  public String imagePrefix() {
    return imagePrefix;
  }
}
