package dev.evenkeel.csi;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.volume.AttachVolume;
import dev.evenkeel.api.volume.CreateSnapshot;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.DeleteSnapshot;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.api.volume.DetachVolume;
import dev.evenkeel.api.volume.ExpandVolume;
import dev.evenkeel.api.volume.ModifyVolume;
import dev.evenkeel.api.volume.VolumeNames;
import dev.evenkeel.api.volume.VolumeSource;
import dev.evenkeel.csi.v1.ControllerExpandVolumeRequest;
import dev.evenkeel.csi.v1.ControllerExpandVolumeResponse;
import dev.evenkeel.csi.v1.ControllerGetCapabilitiesRequest;
import dev.evenkeel.csi.v1.ControllerGetCapabilitiesResponse;
import dev.evenkeel.csi.v1.ControllerGetVolumeRequest;
import dev.evenkeel.csi.v1.ControllerGetVolumeResponse;
import dev.evenkeel.csi.v1.ControllerGrpc;
import dev.evenkeel.csi.v1.ControllerModifyVolumeRequest;
import dev.evenkeel.csi.v1.ControllerModifyVolumeResponse;
import dev.evenkeel.csi.v1.ControllerPublishVolumeRequest;
import dev.evenkeel.csi.v1.ControllerPublishVolumeResponse;
import dev.evenkeel.csi.v1.ControllerServiceCapability;
import dev.evenkeel.csi.v1.ControllerServiceCapability.RPC;
import dev.evenkeel.csi.v1.ControllerUnpublishVolumeRequest;
import dev.evenkeel.csi.v1.ControllerUnpublishVolumeResponse;
import dev.evenkeel.csi.v1.CreateSnapshotRequest;
import dev.evenkeel.csi.v1.CreateSnapshotResponse;
import dev.evenkeel.csi.v1.CreateVolumeRequest;
import dev.evenkeel.csi.v1.CreateVolumeResponse;
import dev.evenkeel.csi.v1.DeleteSnapshotRequest;
import dev.evenkeel.csi.v1.DeleteSnapshotResponse;
import dev.evenkeel.csi.v1.DeleteVolumeRequest;
import dev.evenkeel.csi.v1.DeleteVolumeResponse;
import dev.evenkeel.csi.v1.GetCapacityRequest;
import dev.evenkeel.csi.v1.GetCapacityResponse;
import dev.evenkeel.csi.v1.ListSnapshotsRequest;
import dev.evenkeel.csi.v1.ListSnapshotsResponse;
import dev.evenkeel.csi.v1.ListVolumesRequest;
import dev.evenkeel.csi.v1.ListVolumesResponse;
import dev.evenkeel.csi.v1.ValidateVolumeCapabilitiesRequest;
import dev.evenkeel.csi.v1.ValidateVolumeCapabilitiesResponse;
import dev.evenkeel.csi.v1.VolumeContentSource;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Volumes, snapshots and attachments: what changes them goes through the loop. */
final class ControllerService extends ControllerGrpc.ControllerImplBase {
  private final CsiOptions options;
  private final CsiParts parts;
  private final Abilities abilities;
  private final Front front;
  private final Reading reading;
  private final Places places;

  ControllerService(CsiOptions options, CsiParts parts, Abilities abilities, Front front) {
    this.options = options;
    this.parts = parts;
    this.abilities = abilities;
    this.front = front;
    this.reading = new Reading(options, parts);
    this.places = new Places(reading, options.maxVolumes());
  }

  @Override
  public void controllerGetCapabilities(
      ControllerGetCapabilitiesRequest request,
      StreamObserver<ControllerGetCapabilitiesResponse> to) {
    Front.read(
        to,
        () -> {
          List<RPC.Type> able =
              new ArrayList<>(
                  List.of(
                      RPC.Type.CREATE_DELETE_VOLUME,
                      RPC.Type.PUBLISH_UNPUBLISH_VOLUME,
                      RPC.Type.PUBLISH_READONLY,
                      RPC.Type.LIST_VOLUMES,
                      RPC.Type.LIST_VOLUMES_PUBLISHED_NODES,
                      RPC.Type.GET_CAPACITY,
                      RPC.Type.GET_VOLUME,
                      RPC.Type.VOLUME_CONDITION,
                      RPC.Type.SINGLE_NODE_MULTI_WRITER));
          addIf(
              abilities.snapshots(),
              able,
              RPC.Type.CREATE_DELETE_SNAPSHOT,
              RPC.Type.LIST_SNAPSHOTS);
          addIf(abilities.cloning(), able, RPC.Type.CLONE_VOLUME);
          addIf(abilities.expand(), able, RPC.Type.EXPAND_VOLUME);
          addIf(abilities.modify(), able, RPC.Type.MODIFY_VOLUME);
          ControllerGetCapabilitiesResponse.Builder all =
              ControllerGetCapabilitiesResponse.newBuilder();
          able.forEach(
              type ->
                  all.addCapabilities(
                      ControllerServiceCapability.newBuilder()
                          .setRpc(RPC.newBuilder().setType(type))));
          return all.build();
        });
  }

  private static void addIf(boolean can, List<RPC.Type> to, RPC.Type... types) {
    if (can) {
      to.addAll(List.of(types));
    }
  }

  private void able(boolean can, String what) {
    if (!can) {
      throw new EvenkeelException(
          ErrorKind.UNIMPLEMENTED, "backend " + parts.backend().name() + " has no " + what);
    }
  }

  // Volumes.

  @Override
  public void createVolume(CreateVolumeRequest request, StreamObserver<CreateVolumeResponse> to) {
    front.act(
        to,
        () -> create(request),
        volume ->
            CreateVolumeResponse.newBuilder()
                .setVolume(Protos.volume(volume, options.topology()))
                .build());
  }

  private CreateVolume create(CreateVolumeRequest request) {
    VolumeContentSource.TypeCase source = request.getVolumeContentSource().getTypeCase();
    Asked asked =
        new Asked("create volume")
            .name("name", request.getName())
            .capabilities(request.getVolumeCapabilitiesList())
            .size(false, request.getCapacityRange())
            .that(
                !request.hasVolumeContentSource()
                    || source != VolumeContentSource.TypeCase.TYPE_NOT_SET,
                "volume_content_source",
                "must be a snapshot or a volume");
    if (source == VolumeContentSource.TypeCase.SNAPSHOT) {
      asked.id("snapshot_id", request.getVolumeContentSource().getSnapshot().getSnapshotId());
    } else if (source == VolumeContentSource.TypeCase.VOLUME) {
      asked.id("volume_id", request.getVolumeContentSource().getVolume().getVolumeId());
    }
    asked.check();
    Capabilities.check(request.getVolumeCapabilitiesList());
    checkTopology(request);
    SortedMap<String, String> parameters = Asked.parameters(request.getParametersMap());
    changeable(request.getMutableParamsMap())
        .forEach((name, value) -> parameters.put(VolumeNames.MUTABLE + name, value));
    return new CreateVolume(
        request.getName(),
        Asked.size(request.getCapacityRange()),
        source(request.getVolumeContentSource()),
        parameters,
        Asked.secrets(request.getSecretsMap()));
  }

  private Optional<VolumeSource> source(VolumeContentSource source) {
    return switch (source.getTypeCase()) {
      case SNAPSHOT -> {
        able(abilities.snapshots(), "snapshots");
        yield Optional.of(
            new VolumeSource(
                VolumeSource.Kind.SNAPSHOT, reading.known(source.getSnapshot().getSnapshotId())));
      }
      case VOLUME -> {
        able(abilities.cloning(), "clones");
        yield Optional.of(
            new VolumeSource(
                VolumeSource.Kind.VOLUME, reading.known(source.getVolume().getVolumeId())));
      }
      case TYPE_NOT_SET -> Optional.empty();
    };
  }

  /** A volume is reachable on this driver's node alone, if that has a place at all. */
  private void checkTopology(CreateVolumeRequest request) {
    var requisite = request.getAccessibilityRequirements().getRequisiteList();
    boolean here =
        requisite.isEmpty()
            || options.topology().isEmpty()
            || requisite.stream()
                .anyMatch(
                    one ->
                        options.topology().entrySet().containsAll(one.getSegmentsMap().entrySet()));
    if (!here) {
      throw new EvenkeelException(
          ErrorKind.RESOURCE_EXHAUSTED,
          "volumes can be made for " + options.topology() + " only, and that was not asked for");
    }
  }

  /** Parameters that may change later, checked. */
  private SortedMap<String, String> changeable(Map<String, String> given) {
    SortedMap<String, String> ours = Asked.parameters(given);
    if (!ours.isEmpty()) {
      able(abilities.modify(), "parameters that can change");
      parts.backend().modification().orElseThrow().checkMutable(ours);
    }
    return ours;
  }

  @Override
  public void deleteVolume(DeleteVolumeRequest request, StreamObserver<DeleteVolumeResponse> to) {
    front.act(
        to,
        () -> {
          new Asked("delete volume").id("volume_id", request.getVolumeId()).check();
          return new DeleteVolume(
              reading.ref(request.getVolumeId()), Asked.secrets(request.getSecretsMap()));
        },
        done -> DeleteVolumeResponse.getDefaultInstance());
  }

  @Override
  public void controllerExpandVolume(
      ControllerExpandVolumeRequest request, StreamObserver<ControllerExpandVolumeResponse> to) {
    front.act(
        to,
        () -> {
          new Asked("expand volume")
              .id("volume_id", request.getVolumeId())
              .size(true, request.getCapacityRange())
              .check();
          able(abilities.expand(), "growth");
          return new ExpandVolume(
              reading.known(request.getVolumeId()),
              Asked.size(request.getCapacityRange()),
              Asked.secrets(request.getSecretsMap()));
        },
        volume ->
            ControllerExpandVolumeResponse.newBuilder()
                .setCapacityBytes(volume.size())
                .setNodeExpansionRequired(
                    abilities.mounting() && !request.getVolumeCapability().hasBlock())
                .build());
  }

  @Override
  public void controllerModifyVolume(
      ControllerModifyVolumeRequest request, StreamObserver<ControllerModifyVolumeResponse> to) {
    SortedMap<String, String> wanted = new TreeMap<>();
    try {
      new Asked("modify volume").id("volume_id", request.getVolumeId()).check();
      able(abilities.modify(), "parameters that can change");
      wanted.putAll(changeable(request.getMutableParametersMap()));
      reading.volume(request.getVolumeId());
    } catch (RuntimeException thrown) {
      to.onError(Refusal.of(thrown).asRuntimeException());
      return;
    }
    if (wanted.isEmpty()) {
      Front.read(to, ControllerModifyVolumeResponse::getDefaultInstance);
      return;
    }
    front.act(
        to,
        () ->
            new ModifyVolume(
                reading.known(request.getVolumeId()),
                wanted,
                Asked.secrets(request.getSecretsMap())),
        done -> ControllerModifyVolumeResponse.getDefaultInstance());
  }

  // Attachments.

  @Override
  public void controllerPublishVolume(
      ControllerPublishVolumeRequest request, StreamObserver<ControllerPublishVolumeResponse> to) {
    Places.Place<ControllerPublishVolumeResponse> place =
        places.of(request.getVolumeId(), request.getNodeId(), to);
    front.act(
        place,
        () -> {
          new Asked("publish volume")
              .id("volume_id", request.getVolumeId())
              .id("node_id", request.getNodeId())
              .capability(request.hasVolumeCapability(), request.getVolumeCapability())
              .check();
          Capabilities.check(List.of(request.getVolumeCapability()));
          reading.volume(request.getVolumeId());
          reading.node(request.getNodeId());
          place.take();
          return new AttachVolume(
              reading.known(request.getVolumeId()),
              request.getNodeId(),
              request.getReadonly(),
              Asked.secrets(request.getSecretsMap()));
        },
        done -> ControllerPublishVolumeResponse.getDefaultInstance());
  }

  /** From one node, or from all when none is named. */
  @Override
  public void controllerUnpublishVolume(
      ControllerUnpublishVolumeRequest request,
      StreamObserver<ControllerUnpublishVolumeResponse> to) {
    List<String> nodes = new ArrayList<>();
    try {
      new Asked("unpublish volume").id("volume_id", request.getVolumeId()).check();
      if (request.getNodeId().isEmpty()) {
        nodes.addAll(reading.nodesOf(request.getVolumeId()));
      } else if (VolumeNames.fault(request.getNodeId()).isEmpty()) {
        nodes.add(request.getNodeId()); // one that can be no node has nothing
      }
    } catch (RuntimeException thrown) {
      to.onError(Refusal.of(thrown).asRuntimeException());
      return;
    }
    detach(request, nodes, to);
  }

  private void detach(
      ControllerUnpublishVolumeRequest request,
      List<String> nodes,
      StreamObserver<ControllerUnpublishVolumeResponse> to) {
    if (nodes.isEmpty() || !reading.isId(request.getVolumeId())) {
      Front.read(to, ControllerUnpublishVolumeResponse::getDefaultInstance);
      return;
    }
    String first = nodes.get(0);
    List<String> rest = nodes.subList(1, nodes.size());
    front.act(
        rest.isEmpty() ? to : new Then<>(to, () -> detach(request, rest, to)),
        () ->
            new DetachVolume(
                reading.ref(request.getVolumeId()), first, Asked.secrets(request.getSecretsMap())),
        done -> ControllerUnpublishVolumeResponse.getDefaultInstance());
  }

  // Snapshots.

  @Override
  public void createSnapshot(
      CreateSnapshotRequest request, StreamObserver<CreateSnapshotResponse> to) {
    front.act(
        to,
        () -> {
          new Asked("create snapshot")
              .name("name", request.getName())
              .id("source_volume_id", request.getSourceVolumeId())
              .check();
          able(abilities.snapshots(), "snapshots");
          return new CreateSnapshot(
              request.getName(),
              reading.known(request.getSourceVolumeId()),
              Asked.secrets(request.getSecretsMap()));
        },
        snapshot ->
            CreateSnapshotResponse.newBuilder().setSnapshot(Protos.snapshot(snapshot)).build());
  }

  @Override
  public void deleteSnapshot(
      DeleteSnapshotRequest request, StreamObserver<DeleteSnapshotResponse> to) {
    front.act(
        to,
        () -> {
          new Asked("delete snapshot").id("snapshot_id", request.getSnapshotId()).check();
          able(abilities.snapshots(), "snapshots");
          return new DeleteSnapshot(
              reading.ref(request.getSnapshotId()), Asked.secrets(request.getSecretsMap()));
        },
        done -> DeleteSnapshotResponse.getDefaultInstance());
  }

  // Reading.

  @Override
  public void validateVolumeCapabilities(
      ValidateVolumeCapabilitiesRequest request,
      StreamObserver<ValidateVolumeCapabilitiesResponse> to) {
    Front.read(to, () -> reading.validate(request));
  }

  @Override
  public void listVolumes(ListVolumesRequest request, StreamObserver<ListVolumesResponse> to) {
    Front.read(to, () -> reading.volumes(request));
  }

  @Override
  public void controllerGetVolume(
      ControllerGetVolumeRequest request, StreamObserver<ControllerGetVolumeResponse> to) {
    Front.read(to, () -> reading.get(request));
  }

  @Override
  public void getCapacity(GetCapacityRequest request, StreamObserver<GetCapacityResponse> to) {
    Front.read(to, () -> reading.capacity(request));
  }

  @Override
  public void listSnapshots(
      ListSnapshotsRequest request, StreamObserver<ListSnapshotsResponse> to) {
    Front.read(
        to,
        () -> {
          able(abilities.snapshots(), "snapshots");
          return reading.snapshots(request);
        });
  }
}
