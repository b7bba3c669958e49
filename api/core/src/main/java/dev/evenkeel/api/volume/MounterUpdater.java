package dev.evenkeel.api.volume;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.txn.RecordWriter;

/** Records what is mounted where on this node; as {@link CreatorUpdater}. */
@Experimental("new")
public interface MounterUpdater {
  /** It is visible at a target. */
  void markVolumeAsPublished(MountRecord mount, RecordWriter writer);

  /** It is mounted at its staging path. */
  void markVolumeAsStaged(MountRecord mount, RecordWriter writer);

  /** It is off this node. */
  void markDeviceAsUnStaged(String volumeId, RecordWriter writer);

  /** It is no longer visible at that target. */
  void markDeviceAsUnPublished(String volumeId, String target, RecordWriter writer);

  /** Its file system has grown to that many bytes. */
  void markVolumeAsResized(String volumeId, long size, RecordWriter writer);

  /** Where it stands; blocks, on a worker. */
  DeviceMountState getDeviceMountState(String volumeId);
}
