package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.txn.RecordWriter;
import dev.evenkeel.api.volume.CreatorUpdater;
import dev.evenkeel.api.volume.DeleterUpdater;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.ObjectKey;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRecord;
import dev.evenkeel.api.volume.SnapshotterUpdater;

/**
 * The stock updaters: the reservation's own record is also the row of the state database, so that
 * one write completes both. A volume belongs to the cluster as long as its record exists; calls
 * that only repeat this write nothing. Stateless; any thread.
 */
public final class DatastoreUpdaters implements CreatorUpdater, DeleterUpdater, SnapshotterUpdater {
  /** Updaters over whatever datastore the controller has. */
  public DatastoreUpdaters() {}

  @Override
  public void markVolumeAsCreated(ObjectRecord volume, RecordWriter writer) {
    writer.put(new ObjectKey(ObjectKind.VOLUME, volume.uuid()), volume);
  }

  @Override
  public void markVolumeAsUnknown(ObjectRecord volume, RecordWriter writer) {
    writer.put(new ObjectKey(ObjectKind.VOLUME, volume.uuid()), volume);
  }

  /** Writes nothing: a record without an image is removed as part of the delete that finds it. */
  @Override
  public void markVolumeAsDontExistInCluster(String name, RecordWriter writer) {}

  @Override
  public void removeVolumeFromOmap(ObjectRecord volume, RecordWriter writer) {
    remove(ObjectKind.VOLUME, volume, writer);
  }

  /** Writes nothing: its record is its membership. */
  @Override
  public void addVolumeToCluster(ObjectRecord volume, RecordWriter writer) {}

  /** Writes nothing: removing its reservation removes its row. */
  @Override
  public void markVolumeAsDeleted(ObjectRecord volume, RecordWriter writer) {}

  /** Writes nothing: its record was its membership. */
  @Override
  public void deleteVolumeFromCluster(String name, String cluster, RecordWriter writer) {}

  @Override
  public void markSnapshotAsCreated(ObjectRecord snapshot, RecordWriter writer) {
    writer.put(new ObjectKey(ObjectKind.SNAPSHOT, snapshot.uuid()), snapshot);
  }

  @Override
  public void markSnapshotAsUnknown(ObjectRecord snapshot, RecordWriter writer) {
    writer.put(new ObjectKey(ObjectKind.SNAPSHOT, snapshot.uuid()), snapshot);
  }

  /** Writes nothing: a record without an image is removed as part of the delete that finds it. */
  @Override
  public void markSnapshotAsDontExistInCluster(String name, RecordWriter writer) {}

  @Override
  public void removeSnapshotFromOmap(ObjectRecord snapshot, RecordWriter writer) {
    remove(ObjectKind.SNAPSHOT, snapshot, writer);
  }

  /** Writes nothing: its record is its membership. */
  @Override
  public void addSnapshotToCluster(ObjectRecord snapshot, RecordWriter writer) {}

  /**
   * The name last (operations reference, D9): where a store without batches stops in between, it
   * leads a repeat to what is left, and no record says that something is there which is gone.
   */
  private static void remove(ObjectKind kind, ObjectRecord object, RecordWriter writer) {
    writer.erase(new ObjectKey(kind, object.uuid()));
    writer.erase(new NameKey(kind, object.name()));
  }
}
