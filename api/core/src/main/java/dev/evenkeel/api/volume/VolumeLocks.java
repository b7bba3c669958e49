package dev.evenkeel.api.volume;

import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;

/**
 * The ids under which volumes and snapshots are locked. Names and ids of one kind share one space.
 * Pure; any thread.
 */
public final class VolumeLocks {
  private VolumeLocks() {}

  /** Of a volume's name or id. */
  public static String volume(String nameOrId) {
    return "volume/" + nameOrId;
  }

  /** Of a snapshot's name or id. */
  public static String snapshot(String nameOrId) {
    return "snapshot/" + nameOrId;
  }

  /** The lock on what a volume is made of. */
  public static LockKey source(VolumeSource source) {
    String text = source.ref().text();
    return source.kind() == VolumeSource.Kind.SNAPSHOT
        ? LockKey.of(snapshot(text), LockMode.RESTORE_SOURCE)
        : LockKey.of(volume(text), LockMode.CLONE_SOURCE);
  }
}
