package dev.evenkeel.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.csi.v1.CapacityRange;
import dev.evenkeel.csi.v1.ControllerPublishVolumeRequest;
import dev.evenkeel.csi.v1.ControllerPublishVolumeResponse;
import dev.evenkeel.csi.v1.ControllerUnpublishVolumeRequest;
import dev.evenkeel.csi.v1.CreateSnapshotRequest;
import dev.evenkeel.csi.v1.CreateVolumeRequest;
import dev.evenkeel.csi.v1.DeleteSnapshotRequest;
import dev.evenkeel.csi.v1.DeleteVolumeRequest;
import dev.evenkeel.csi.v1.NodePublishVolumeRequest;
import dev.evenkeel.csi.v1.NodeStageVolumeRequest;
import dev.evenkeel.csi.v1.NodeUnpublishVolumeRequest;
import dev.evenkeel.csi.v1.NodeUnstageVolumeRequest;
import dev.evenkeel.csi.v1.Snapshot;
import dev.evenkeel.csi.v1.Volume;
import dev.evenkeel.csi.v1.VolumeCapability;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.function.Executable;

/**
 * Behaves as the community's conformance suite does: what a test has made is taken away again, step
 * by step, the newest first, and every one of these steps must succeed.
 */
@SuppressWarnings("try") // ends with whatever its parts throw
final class Suite implements AutoCloseable {
  static final long S = 10L << 30;
  static final String UNKNOWN = "there-is-none";

  final Rig rig;
  private final Path paths;
  private final Deque<Runnable> cleanup = new ArrayDeque<>();

  Suite(Path dir) throws Exception {
    rig = Rig.start(dir);
    paths = dir;
  }

  String staging() {
    return paths.resolve("staging").toString();
  }

  String target() {
    return paths.resolve("mount").resolve("target").toString();
  }

  /** A file system for one writer, without a type or flags. */
  static VolumeCapability writer() {
    return with(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER);
  }

  static VolumeCapability with(VolumeCapability.AccessMode.Mode mode) {
    return VolumeCapability.newBuilder()
        .setMount(VolumeCapability.MountVolume.getDefaultInstance())
        .setAccessMode(VolumeCapability.AccessMode.newBuilder().setMode(mode))
        .build();
  }

  static CapacityRange atLeast(long bytes) {
    return CapacityRange.newBuilder().setRequiredBytes(bytes).build();
  }

  static CapacityRange exactly(long bytes) {
    return CapacityRange.newBuilder().setRequiredBytes(bytes).setLimitBytes(bytes).build();
  }

  /** A request without a size. */
  static CreateVolumeRequest.Builder volume(String name) {
    return CreateVolumeRequest.newBuilder().setName(name).addVolumeCapabilities(writer());
  }

  Volume create(String name) {
    return create(volume(name).setCapacityRange(atLeast(S)).build());
  }

  Volume create(CreateVolumeRequest request) {
    Volume made = rig.controller().createVolume(request).getVolume();
    assertTrue(!made.getVolumeId().isEmpty(), "it has an id");
    cleanup.push(() -> remove(made.getVolumeId(), false));
    return made;
  }

  ControllerPublishVolumeResponse publish(String volume, boolean readOnly) {
    ControllerPublishVolumeResponse done =
        rig.controller()
            .controllerPublishVolume(
                ControllerPublishVolumeRequest.newBuilder()
                    .setVolumeId(volume)
                    .setNodeId(rig.nodeId())
                    .setVolumeCapability(writer())
                    .setReadonly(readOnly)
                    .build());
    cleanup.push(() -> remove(volume, true));
    return done;
  }

  Snapshot snapshot(String name, String source) {
    Snapshot made =
        rig.controller()
            .createSnapshot(
                CreateSnapshotRequest.newBuilder().setName(name).setSourceVolumeId(source).build())
            .getSnapshot();
    cleanup.push(() -> removeSnapshot(made.getSnapshotId()));
    assertTrue(!made.getSnapshotId().isEmpty(), "it has an id");
    assertEquals(source, made.getSourceVolumeId());
    assertTrue(made.hasCreationTime(), "it tells when it was cut");
    return made;
  }

  void stage(String volume) {
    var unused =
        rig.node()
            .nodeStageVolume(
                NodeStageVolumeRequest.newBuilder()
                    .setVolumeId(volume)
                    .setStagingTargetPath(staging())
                    .setVolumeCapability(writer())
                    .build());
  }

  void nodePublish(String volume) {
    var unused =
        rig.node()
            .nodePublishVolume(
                NodePublishVolumeRequest.newBuilder()
                    .setVolumeId(volume)
                    .setStagingTargetPath(staging())
                    .setTargetPath(target())
                    .setVolumeCapability(writer())
                    .build());
  }

  void nodeUnpublish(String volume) {
    var unused =
        rig.node()
            .nodeUnpublishVolume(
                NodeUnpublishVolumeRequest.newBuilder()
                    .setVolumeId(volume)
                    .setTargetPath(target())
                    .build());
  }

  void unpublish(String volume, String node) {
    var unused =
        rig.controller()
            .controllerUnpublishVolume(
                ControllerUnpublishVolumeRequest.newBuilder()
                    .setVolumeId(volume)
                    .setNodeId(node)
                    .build());
  }

  void delete(String volume) {
    var unused =
        rig.controller().deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(volume).build());
  }

  void removeSnapshot(String id) {
    var unused =
        rig.controller()
            .deleteSnapshot(DeleteSnapshotRequest.newBuilder().setSnapshotId(id).build());
  }

  private void remove(String volume, boolean published) {
    okOrAbsent(() -> nodeUnpublish(volume));
    okOrAbsent(
        () -> {
          var unused =
              rig.node()
                  .nodeUnstageVolume(
                      NodeUnstageVolumeRequest.newBuilder()
                          .setVolumeId(volume)
                          .setStagingTargetPath(staging())
                          .build());
        });
    if (published) {
      unpublish(volume, rig.nodeId());
    }
    delete(volume);
  }

  private static void okOrAbsent(Runnable call) {
    try {
      call.run();
    } catch (StatusRuntimeException refused) {
      assertEquals(Status.Code.NOT_FOUND, refused.getStatus().getCode());
    }
  }

  /** Expects one of some codes. */
  static void refused(Set<Status.Code> codes, Executable call) {
    Status.Code found = assertThrows(StatusRuntimeException.class, call).getStatus().getCode();
    assertTrue(codes.contains(found), () -> "expected " + codes + ", was " + found);
  }

  static void refused(Status.Code code, Executable call) {
    refused(EnumSet.of(code), call);
  }

  static void invalid(Executable call) {
    refused(Status.Code.INVALID_ARGUMENT, call);
  }

  static void notFound(Executable call) {
    refused(Status.Code.NOT_FOUND, call);
  }

  /** Takes away what was made, and ends the driver. */
  @Override
  public void close() throws Exception {
    try (Rig ends = rig) {
      while (!cleanup.isEmpty()) {
        cleanup.pop().run();
      }
      assertEquals(0, ends.controller().listVolumes(Requests.ALL_VOLUMES).getEntriesCount());
      assertEquals(0, ends.controller().listSnapshots(Requests.ALL_SNAPSHOTS).getEntriesCount());
    }
  }
}
