package dev.evenkeel.api.volume;

import dev.evenkeel.api.txn.RecordWriter;

/** Records what became of deleting volumes; as {@link CreatorUpdater}. */
public interface DeleterUpdater {
  /** It is gone; absent is fine. */
  void markVolumeAsDeleted(ObjectRecord volume, RecordWriter writer);

  /** It is uncertain. */
  void markVolumeAsUnknown(ObjectRecord volume, RecordWriter writer);

  /** Probing has found no image; under the name's lock. */
  void markVolumeAsDontExistInCluster(String name, RecordWriter writer);

  /** Its reservation goes; absent is fine. */
  void removeVolumeFromOmap(ObjectRecord volume, RecordWriter writer);

  /** It no longer belongs to the volumes of that cluster. */
  void deleteVolumeFromCluster(String name, String cluster, RecordWriter writer);
}
