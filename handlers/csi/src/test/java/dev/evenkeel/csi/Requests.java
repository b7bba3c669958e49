package dev.evenkeel.csi;

import dev.evenkeel.csi.v1.CapacityRange;
import dev.evenkeel.csi.v1.ControllerExpandVolumeRequest;
import dev.evenkeel.csi.v1.ControllerModifyVolumeRequest;
import dev.evenkeel.csi.v1.ControllerPublishVolumeRequest;
import dev.evenkeel.csi.v1.ListSnapshotsRequest;
import dev.evenkeel.csi.v1.ListVolumesRequest;
import dev.evenkeel.csi.v1.NodeGetVolumeStatsRequest;
import dev.evenkeel.csi.v1.ValidateVolumeCapabilitiesRequest;
import dev.evenkeel.csi.v1.VolumeContentSource;

/** Requests that several tests make. */
final class Requests {
  static final ListVolumesRequest ALL_VOLUMES = ListVolumesRequest.getDefaultInstance();
  static final ListSnapshotsRequest ALL_SNAPSHOTS = ListSnapshotsRequest.getDefaultInstance();

  private Requests() {}

  static VolumeContentSource ofSnapshot(String id) {
    return VolumeContentSource.newBuilder()
        .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId(id))
        .build();
  }

  static VolumeContentSource ofVolume(String id) {
    return VolumeContentSource.newBuilder()
        .setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId(id))
        .build();
  }

  static ControllerPublishVolumeRequest.Builder publish(String volume, String node) {
    return ControllerPublishVolumeRequest.newBuilder()
        .setVolumeId(volume)
        .setNodeId(node)
        .setVolumeCapability(Suite.writer());
  }

  static ControllerExpandVolumeRequest expand(String volume, CapacityRange to) {
    return ControllerExpandVolumeRequest.newBuilder()
        .setVolumeId(volume)
        .setCapacityRange(to)
        .build();
  }

  static ControllerModifyVolumeRequest modify(String volume, String name, String value) {
    return ControllerModifyVolumeRequest.newBuilder()
        .setVolumeId(volume)
        .putMutableParameters(name, value)
        .build();
  }

  static ValidateVolumeCapabilitiesRequest validate(String volume) {
    return ValidateVolumeCapabilitiesRequest.newBuilder()
        .setVolumeId(volume)
        .addVolumeCapabilities(Suite.writer())
        .build();
  }

  static NodeGetVolumeStatsRequest stats(String volume, String path) {
    return NodeGetVolumeStatsRequest.newBuilder().setVolumeId(volume).setVolumePath(path).build();
  }
}
