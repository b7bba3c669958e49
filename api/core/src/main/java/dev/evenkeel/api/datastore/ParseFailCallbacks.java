package dev.evenkeel.api.datastore;

import java.util.Optional;

/**
 * An ability of a syncer's callback: is told of entries that cannot be decoded. Implemented by
 * users.
 */
public interface ParseFailCallbacks {
  /** An entry that cannot be decoded; the raw value may hold anything, so do not log it. */
  void parseFailed(String rawKey, Optional<byte[]> rawValue);
}
