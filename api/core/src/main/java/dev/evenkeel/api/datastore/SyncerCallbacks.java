package dev.evenkeel.api.datastore;

import java.util.List;

/**
 * Takes what a syncer finds. Implemented by users, together with {@link ParseFailCallbacks} where
 * wanted. All calls come from one thread, one after another; a slow one holds the syncer back and
 * loses nothing; what it throws is reported and the syncer goes on.
 */
public interface SyncerCallbacks {
  /** The status has changed; never twice the same. */
  void onStatusUpdated(SyncStatus status);

  /** One or more updates, in order. A recursive delete comes as one update for each leaf. */
  void onUpdates(List<Update> updates);
}
