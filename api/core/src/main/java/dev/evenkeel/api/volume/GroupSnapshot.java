package dev.evenkeel.api.volume;

import java.time.Instant;
import java.util.List;

/**
 * A group of snapshots of one moment, as answered.
 *
 * @param id to be used in all later requests
 * @param name that it was requested under
 * @param members ordered by the source's id
 * @param created when it was cut
 */
public record GroupSnapshot(String id, String name, List<Snapshot> members, Instant created) {
  /** Copies the members. */
  public GroupSnapshot {
    members = List.copyOf(members);
  }
}
