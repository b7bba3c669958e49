package dev.evenkeel.csi;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.volume.CreateGroupSnapshot;
import dev.evenkeel.api.volume.DeleteGroupSnapshot;
import dev.evenkeel.csi.v1.CreateVolumeGroupSnapshotRequest;
import dev.evenkeel.csi.v1.CreateVolumeGroupSnapshotResponse;
import dev.evenkeel.csi.v1.DeleteVolumeGroupSnapshotRequest;
import dev.evenkeel.csi.v1.DeleteVolumeGroupSnapshotResponse;
import dev.evenkeel.csi.v1.GetVolumeGroupSnapshotRequest;
import dev.evenkeel.csi.v1.GetVolumeGroupSnapshotResponse;
import dev.evenkeel.csi.v1.GroupControllerGetCapabilitiesRequest;
import dev.evenkeel.csi.v1.GroupControllerGetCapabilitiesResponse;
import dev.evenkeel.csi.v1.GroupControllerGrpc;
import dev.evenkeel.csi.v1.GroupControllerServiceCapability;
import dev.evenkeel.handlers.volume.VolumeCatalog;
import io.grpc.stub.StreamObserver;

/** Snapshots of several volumes at one moment. */
final class GroupService extends GroupControllerGrpc.GroupControllerImplBase {
  private final Front front;
  private final Reading reading;
  private final VolumeCatalog catalog;

  GroupService(CsiOptions options, CsiParts parts, Front front) {
    this.front = front;
    this.reading = new Reading(options, parts);
    this.catalog = VolumeCatalog.of(parts.store(), parts.settings());
  }

  @Override
  public void groupControllerGetCapabilities(
      GroupControllerGetCapabilitiesRequest request,
      StreamObserver<GroupControllerGetCapabilitiesResponse> to) {
    Front.read(
        to,
        () ->
            GroupControllerGetCapabilitiesResponse.newBuilder()
                .addCapabilities(
                    GroupControllerServiceCapability.newBuilder()
                        .setRpc(
                            GroupControllerServiceCapability.RPC
                                .newBuilder()
                                .setType(
                                    GroupControllerServiceCapability.RPC
                                        .Type
                                        .CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT)))
                .build());
  }

  @Override
  public void createVolumeGroupSnapshot(
      CreateVolumeGroupSnapshotRequest request,
      StreamObserver<CreateVolumeGroupSnapshotResponse> to) {
    front.act(
        to,
        () -> {
          Asked asked =
              new Asked("create group snapshot")
                  .name("name", request.getName())
                  .that(
                      request.getSourceVolumeIdsCount() > 0,
                      "source_volume_ids",
                      "must name at least one volume");
          request.getSourceVolumeIdsList().forEach(id -> asked.id("source_volume_ids", id));
          asked.check();
          return new CreateGroupSnapshot(
              request.getName(),
              request.getSourceVolumeIdsList().stream().map(reading::known).toList(),
              Asked.secrets(request.getSecretsMap()));
        },
        group ->
            CreateVolumeGroupSnapshotResponse.newBuilder()
                .setGroupSnapshot(Protos.group(group))
                .build());
  }

  @Override
  public void deleteVolumeGroupSnapshot(
      DeleteVolumeGroupSnapshotRequest request,
      StreamObserver<DeleteVolumeGroupSnapshotResponse> to) {
    front.act(
        to,
        () -> {
          new Asked("delete group snapshot")
              .id("group_snapshot_id", request.getGroupSnapshotId())
              .check();
          return new DeleteGroupSnapshot(
              reading.ref(request.getGroupSnapshotId()), Asked.secrets(request.getSecretsMap()));
        },
        done -> DeleteVolumeGroupSnapshotResponse.getDefaultInstance());
  }

  @Override
  public void getVolumeGroupSnapshot(
      GetVolumeGroupSnapshotRequest request, StreamObserver<GetVolumeGroupSnapshotResponse> to) {
    Front.read(
        to,
        () -> {
          String id = request.getGroupSnapshotId();
          new Asked("get group snapshot").id("group_snapshot_id", id).check();
          return GetVolumeGroupSnapshotResponse.newBuilder()
              .setGroupSnapshot(
                  catalog
                      .group(id)
                      .map(Protos::group)
                      .orElseThrow(
                          () ->
                              new EvenkeelException(
                                  ErrorKind.NOT_FOUND, "there is no group " + id)))
              .build();
        });
  }
}
