package dev.evenkeel.api.datastore;

/** What an update of a syncer is, seen from its consumer. */
public enum UpdateType {
  /** Never sent. */
  UNKNOWN,
  /** The consumer did not know the key. */
  NEW,
  /** The consumer knew the key. */
  UPDATED,
  /** The consumer knew the key, and it is gone. */
  DELETED
}
