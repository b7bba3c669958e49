package dev.evenkeel.api.volume;

import dev.evenkeel.api.txn.RecordWriter;

/**
 * Records what became of creating volumes in the state database. Implemented by Evenkeel over any
 * datastore, and by authors who keep a state of their own; called on a worker, once the whole
 * transaction is decided (operations reference, sections 3 and 6). Every call is idempotent. What
 * is written through the writer shares one batch with the end of the operation's intent.
 */
public interface CreatorUpdater {
  /**
   * It is complete. The same id again changes nothing; another id for the same name is an error.
   */
  void markVolumeAsCreated(ObjectRecord volume, RecordWriter writer);

  /** It is uncertain; never replaces what a newer transaction has written. */
  void markVolumeAsUnknown(ObjectRecord volume, RecordWriter writer);

  /** Probing has found no image; under the name's lock. */
  void markVolumeAsDontExistInCluster(String name, RecordWriter writer);

  /** Its reservation is being undone; absent is fine. */
  void removeVolumeFromOmap(ObjectRecord volume, RecordWriter writer);

  /** It belongs to the cluster's volumes from now on. */
  void addVolumeToCluster(ObjectRecord volume, RecordWriter writer);
}
