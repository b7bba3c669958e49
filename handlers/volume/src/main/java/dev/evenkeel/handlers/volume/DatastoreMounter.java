package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.datastore.BlockingDatastore;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.txn.RecordWriter;
import dev.evenkeel.api.volume.DeviceMountState;
import dev.evenkeel.api.volume.MountKey;
import dev.evenkeel.api.volume.MountRecord;
import dev.evenkeel.api.volume.MounterUpdater;
import dev.evenkeel.api.volume.VolumeNames;

/**
 * The stock updater of a node: the stash that leads to the device is also what tells where a volume
 * stands. Its datastore may be the node's own. Stateless; any thread.
 */
@Experimental("new")
public final class DatastoreMounter implements MounterUpdater {
  private final String node;
  private final BlockingDatastore store;

  /** Of a node, over the datastore that the node's loop has. */
  public DatastoreMounter(String node, Datastore store) {
    this.node = VolumeNames.check("mounter", node);
    this.store = store.blocking();
  }

  @Override
  public void markVolumeAsPublished(MountRecord mount, RecordWriter writer) {
    writer.put(new MountKey(mount.volumeId(), node, mount.target().orElseThrow()), mount);
  }

  @Override
  public void markVolumeAsStaged(MountRecord mount, RecordWriter writer) {
    writer.put(MountKey.stash(mount.volumeId(), node), mount);
  }

  @Override
  public void markDeviceAsUnStaged(String volumeId, RecordWriter writer) {
    writer.erase(MountKey.stash(volumeId, node));
  }

  @Override
  public void markDeviceAsUnPublished(String volumeId, String target, RecordWriter writer) {
    writer.erase(new MountKey(volumeId, node, target));
  }

  /** Writes nothing: the size of a file system is asked of the file system. */
  @Override
  public void markVolumeAsResized(String volumeId, long size, RecordWriter writer) {}

  /** Without a stash it is not mounted. */
  @Override
  public DeviceMountState getDeviceMountState(String volumeId) {
    return store
        .find(MountKey.stash(volumeId, node), Call.usual())
        .flatMap(KeyValue::value)
        .map(MountRecord::state)
        .orElse(DeviceMountState.NOT_MOUNTED);
  }
}
