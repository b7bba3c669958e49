import dev.evenkeel.api.datastore.SyncerProvider;
import dev.evenkeel.datastore.WatcherSyncerProvider;

/** The in-memory datastore, the syncer and update processors. */
module dev.evenkeel.datastore {
  requires transitive dev.evenkeel.api;
  requires org.slf4j;
  requires static org.jspecify;

  exports dev.evenkeel.datastore;

  provides SyncerProvider with
      WatcherSyncerProvider;
}
