package dev.evenkeel.api.datastore;

/** State of a syncer's picture of the datastore. */
public enum SyncStatus {
  /** Waits for the datastore, or for its data to be usable. */
  WAIT_FOR_DATASTORE("wait-for-ready"),
  /** Is reading what exists; updates are being sent. */
  RESYNC_IN_PROGRESS("resync"),
  /** Everything that exists has been sent. */
  IN_SYNC("in-sync");

  private final String text;

  SyncStatus(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
