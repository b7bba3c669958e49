package dev.evenkeel.api.volume;

import dev.evenkeel.api.Experimental;
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

  /** Of a group's name or id. */
  @Experimental("new")
  public static String group(String nameOrId) {
    return "group/" + nameOrId;
  }

  /** Of what a volume has on a node: its stash, its device, its staging path. */
  @Experimental("new")
  public static String onNode(String nameOrId, String node) {
    return "node/" + node + "/" + nameOrId;
  }

  /** Of a volume's way to a node. */
  @Experimental("new")
  public static String attachment(String nameOrId, String node) {
    return "attachment/" + node + "/" + nameOrId;
  }

  /** Of a place where a volume is published. */
  @Experimental("new")
  public static String target(String nameOrId, String node, String path) {
    return onNode(nameOrId, node) + path;
  }

  /** The lock on what a volume is made of. */
  public static LockKey source(VolumeSource source) {
    String text = source.ref().text();
    return source.kind() == VolumeSource.Kind.SNAPSHOT
        ? LockKey.of(snapshot(text), LockMode.RESTORE_SOURCE)
        : LockKey.of(volume(text), LockMode.CLONE_SOURCE);
  }
}
