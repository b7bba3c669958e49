package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.volume.ObjectRecord;
import dev.evenkeel.api.volume.VolumeId;

/** How the snapshots of a group are named: nobody else's request can mean one of them. */
final class Member {
  private Member() {}

  /** The name of a group's snapshot of a volume. */
  static String name(ObjectRecord group, String volumeId) {
    return group.uuid() + "." + VolumeId.parse(volumeId).uuid();
  }
}
