package dev.evenkeel.api.volume;

import dev.evenkeel.api.txn.RecordWriter;

/** Records what became of snapshots; as {@link CreatorUpdater}. */
public interface SnapshotterUpdater {
  /** It is complete. */
  void markSnapshotAsCreated(ObjectRecord snapshot, RecordWriter writer);

  /** It is uncertain. */
  void markSnapshotAsUnknown(ObjectRecord snapshot, RecordWriter writer);

  /** Probing has found no image; under the name's lock. */
  void markSnapshotAsDontExistInCluster(String name, RecordWriter writer);

  /** Its reservation goes; absent is fine. */
  void removeSnapshotFromOmap(ObjectRecord snapshot, RecordWriter writer);

  /** It belongs to the cluster's snapshots from now on. */
  void addSnapshotToCluster(ObjectRecord snapshot, RecordWriter writer);
}
