package dev.evenkeel.csi;

import com.google.protobuf.Timestamp;
import dev.evenkeel.api.volume.GroupSnapshot;
import dev.evenkeel.api.volume.Snapshot;
import dev.evenkeel.api.volume.Volume;
import dev.evenkeel.api.volume.VolumeSource;
import dev.evenkeel.csi.v1.Topology;
import dev.evenkeel.csi.v1.VolumeContentSource;
import dev.evenkeel.csi.v1.VolumeGroupSnapshot;
import java.time.Instant;
import java.util.SortedMap;

/** Answers in the protocol's words. */
final class Protos {
  private Protos() {}

  static dev.evenkeel.csi.v1.Volume volume(Volume volume, SortedMap<String, String> topology) {
    dev.evenkeel.csi.v1.Volume.Builder told =
        dev.evenkeel.csi.v1.Volume.newBuilder()
            .setVolumeId(volume.id())
            .setCapacityBytes(volume.size());
    volume.source().ifPresent(source -> told.setContentSource(source(source)));
    if (!topology.isEmpty()) {
      told.addAccessibleTopology(topology(topology));
    }
    return told.build();
  }

  static Topology topology(SortedMap<String, String> segments) {
    return Topology.newBuilder().putAllSegments(segments).build();
  }

  private static VolumeContentSource source(VolumeSource source) {
    VolumeContentSource.Builder told = VolumeContentSource.newBuilder();
    if (source.kind() == VolumeSource.Kind.SNAPSHOT) {
      told.setSnapshot(
          VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId(source.ref().text()));
    } else {
      told.setVolume(
          VolumeContentSource.VolumeSource.newBuilder().setVolumeId(source.ref().text()));
    }
    return told.build();
  }

  static dev.evenkeel.csi.v1.Snapshot snapshot(Snapshot snapshot) {
    return snapshot(snapshot, "");
  }

  private static dev.evenkeel.csi.v1.Snapshot snapshot(Snapshot snapshot, String group) {
    return dev.evenkeel.csi.v1.Snapshot.newBuilder()
        .setSnapshotId(snapshot.id())
        .setSourceVolumeId(snapshot.sourceId())
        .setSizeBytes(snapshot.size())
        .setCreationTime(time(snapshot.created()))
        .setReadyToUse(snapshot.ready())
        .setGroupSnapshotId(group)
        .build();
  }

  static VolumeGroupSnapshot group(GroupSnapshot group) {
    VolumeGroupSnapshot.Builder told =
        VolumeGroupSnapshot.newBuilder()
            .setGroupSnapshotId(group.id())
            .setCreationTime(time(group.created()))
            .setReadyToUse(group.members().stream().allMatch(Snapshot::ready));
    group.members().forEach(member -> told.addSnapshots(snapshot(member, group.id())));
    return told.build();
  }

  private static Timestamp time(Instant at) {
    return Timestamp.newBuilder().setSeconds(at.getEpochSecond()).setNanos(at.getNano()).build();
  }
}
