package dev.evenkeel.csi;

import dev.evenkeel.api.volume.VolumeBackend;

/** What the backend can do, asked once: nothing is advertised that does not work. */
record Abilities(
    boolean snapshots,
    boolean cloning,
    boolean expand,
    boolean modify,
    boolean mounting,
    boolean groups) {
  static Abilities of(VolumeBackend backend) {
    return new Abilities(
        backend.snapshots().isPresent(),
        backend.cloning().isPresent(),
        backend.expansion().isPresent(),
        backend.modification().isPresent(),
        backend.mounting().isPresent(),
        backend.snapshots().isPresent());
  }
}
