package dev.evenkeel.datastore;

import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.datastore.Syncer;
import dev.evenkeel.api.datastore.SyncerCallbacks;
import dev.evenkeel.api.datastore.SyncerOptions;
import dev.evenkeel.api.datastore.SyncerProvider;

/**
 * Brings the syncer that works on any store's list and watch. Found by {@link
 * java.util.ServiceLoader}; users call {@link Datastore#syncer}. Any thread.
 *
 * <p>Its {@link Syncer#stop()} waits for the last callback, unless it is called by a callback or a
 * processor, where it returns at once and the syncer ends behind it.
 */
public final class WatcherSyncerProvider implements SyncerProvider {
  /** For the service loader. */
  public WatcherSyncerProvider() {}

  @Override
  public Syncer syncer(Datastore store, SyncerOptions options, SyncerCallbacks callbacks) {
    return new WatcherSyncer(store, options, callbacks);
  }
}
