package dev.evenkeel.datastore;

import dev.evenkeel.api.datastore.Update;
import java.util.List;
import java.util.Optional;

/** What a cache tells the merger. */
sealed interface SyncItem {
  /** Updates that belong together, in order. */
  record Updates(List<Update> updates) implements SyncItem {}

  /** An entry that cannot be decoded. */
  record Unparsable(String rawKey, Optional<byte[]> rawValue) implements SyncItem {}

  /** All that the cache's kind has was told. */
  record InSync(SyncCache<?> cache) implements SyncItem {}

  /** What was told may not be true any more. */
  record Lost(SyncCache<?> cache) implements SyncItem {}

  /** The cache has told its last. */
  record Ended() implements SyncItem {}
}
