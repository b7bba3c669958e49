package dev.evenkeel.controller.source;

import dev.evenkeel.api.Experimental;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * How a {@link DatastoreSource} stands. Immutable.
 *
 * @param source its name
 * @param phase where it is
 * @param values how many values it knows
 * @param invalid paths whose stored value cannot be decoded; their last good value is kept; the
 *     first 1,000
 * @param mirror how its mirror stands
 * @param resyncs snapshots that the loop has accepted
 * @param changes single changes that the loop has accepted
 * @param coalesced changes that were not pushed since a newer one of their key was
 * @param overflows how often a snapshot was pushed in place of changes, for there were too many or
 *     they waited too long
 */
@Experimental
public record SourceStatus(
    String source,
    Phase phase,
    int values,
    SortedSet<String> invalid,
    Mirror mirror,
    long resyncs,
    long changes,
    long coalesced,
    long overflows) {
  /** Copies the paths. */
  public SourceStatus {
    invalid = Collections.unmodifiableSortedSet(new TreeSet<>(invalid));
  }

  /** Where a source is. */
  public enum Phase {
    /** Not started. */
    NEW,
    /** The remote store does not answer; it is probed. */
    AWAY,
    /** The remote store is being read. */
    SYNCING,
    /** All was read; keys that are missing are asked for. */
    CHECKING,
    /** Changes are pushed as they come. */
    IN_SYNC,
    /** Closed, or the loop is. */
    CLOSED
  }

  /** How a mirror stands. */
  public enum Mirror {
    /** There is none. */
    NONE,
    /** Written, or being written. */
    GOOD,
    /** It could not be read or written; that is tried again. */
    BEHIND
  }
}
