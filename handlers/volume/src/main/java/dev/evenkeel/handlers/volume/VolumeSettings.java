package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.volume.CreatorUpdater;
import dev.evenkeel.api.volume.DeleterUpdater;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.SnapshotterUpdater;
import dev.evenkeel.api.volume.VolumeId;
import java.util.Objects;

/**
 * How the stock handlers name and record what they make. Immutable.
 *
 * @param cluster part of every id: 1 to 64 plain characters; must not change while volumes exist
 * @param location part of every id: which pool or file system
 * @param creator records what becomes of creating volumes
 * @param deleter records what becomes of deleting volumes
 * @param snapshotter records what becomes of snapshots
 */
public record VolumeSettings(
    String cluster,
    long location,
    CreatorUpdater creator,
    DeleterUpdater deleter,
    SnapshotterUpdater snapshotter) {
  private static final String ANY_UUID = "00000000-0000-0000-0000-000000000000";

  /** Refuses a cluster that no id can carry. */
  public VolumeSettings {
    Objects.requireNonNull(creator, "creator");
    Objects.requireNonNull(deleter, "deleter");
    Objects.requireNonNull(snapshotter, "snapshotter");
    String id = VolumeId.of(cluster, location, ANY_UUID).text();
    if (VolumeId.tryParse(id).isEmpty()) {
      throw InvalidInputException.of(
          "volume settings", "cluster", cluster, "is too long for an id of 128 characters");
    }
  }

  /** Location 0, and the stock updaters. */
  public static VolumeSettings of(String cluster) {
    DatastoreUpdaters stock = new DatastoreUpdaters();
    return new VolumeSettings(cluster, 0, stock, stock, stock);
  }

  /** The same with another location. */
  public VolumeSettings location(long newLocation) {
    return new VolumeSettings(cluster, newLocation, creator, deleter, snapshotter);
  }

  /** The same with other updaters. */
  public VolumeSettings updaters(
      CreatorUpdater newCreator, DeleterUpdater newDeleter, SnapshotterUpdater newSnapshotter) {
    return new VolumeSettings(cluster, location, newCreator, newDeleter, newSnapshotter);
  }

  String id(String uuid) {
    return VolumeId.of(cluster, location, uuid).text();
  }

  /** Whether this driver can have issued that id. */
  boolean issued(VolumeId id) {
    return id.cluster().equals(cluster) && id.location() == location;
  }

  static String image(ObjectKind kind, String uuid) {
    return kind.imagePrefix() + uuid;
  }
}
