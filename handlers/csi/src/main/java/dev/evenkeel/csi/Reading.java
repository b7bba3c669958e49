package dev.evenkeel.csi;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.volume.AttachmentRecord;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.Snapshot;
import dev.evenkeel.api.volume.Volume;
import dev.evenkeel.api.volume.VolumeId;
import dev.evenkeel.csi.v1.ControllerGetVolumeRequest;
import dev.evenkeel.csi.v1.ControllerGetVolumeResponse;
import dev.evenkeel.csi.v1.GetCapacityRequest;
import dev.evenkeel.csi.v1.GetCapacityResponse;
import dev.evenkeel.csi.v1.ListSnapshotsRequest;
import dev.evenkeel.csi.v1.ListSnapshotsResponse;
import dev.evenkeel.csi.v1.ListVolumesRequest;
import dev.evenkeel.csi.v1.ListVolumesResponse;
import dev.evenkeel.csi.v1.ValidateVolumeCapabilitiesRequest;
import dev.evenkeel.csi.v1.ValidateVolumeCapabilitiesResponse;
import dev.evenkeel.csi.v1.VolumeCondition;
import dev.evenkeel.handlers.volume.VolumeCatalog;
import io.grpc.Status;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What is asked of the datastore and the backend, never of the loop (JT-20). Blocks. */
final class Reading {
  /** More would not fit into the 4 MiB that clients take. */
  private static final int LARGEST_PAGE = 8_000;

  private static final String NO_SUCH = "00000000-0000-0000-0000-000000000000";

  private final CsiOptions options;
  private final CsiParts parts;
  private final VolumeCatalog catalog;

  Reading(CsiOptions options, CsiParts parts) {
    this.options = options;
    this.parts = parts;
    this.catalog = VolumeCatalog.of(parts.store(), parts.settings());
  }

  // Ids.

  boolean isId(String id) {
    return VolumeId.tryParse(id).isPresent();
  }

  /**
   * For what is right when it is absent: an id that is none of ours is of nothing that is there.
   */
  ObjectRef ref(String id) {
    return ObjectRef.id(
        isId(id)
            ? id
            : VolumeId.of(parts.settings().cluster(), parts.settings().location(), NO_SUCH).text());
  }

  /** For what must be there. */
  ObjectRef known(String id) {
    if (!isId(id)) {
      throw absent(id);
    }
    return ObjectRef.id(id);
  }

  private static EvenkeelException absent(String id) {
    return new EvenkeelException(ErrorKind.NOT_FOUND, "there is nothing with id " + id);
  }

  Volume volume(String id) {
    return catalog.volume(id).orElseThrow(() -> absent(id));
  }

  // Nodes.

  /** A node that is known: this one. */
  void node(String id) {
    if (!id.equals(options.nodeId())) {
      throw new EvenkeelException(ErrorKind.NOT_FOUND, "there is no node " + id);
    }
  }

  /** What is stored as published to a node, or as on its way there. */
  List<String> volumesOn(String node) {
    return catalog.attachments().stream()
        .filter(one -> one.node().equals(node))
        .map(AttachmentRecord::volumeId)
        .toList();
  }

  List<String> nodesOf(String volume) {
    return catalog.attachments(volume).stream().map(AttachmentRecord::node).sorted().toList();
  }

  // Answers.

  ValidateVolumeCapabilitiesResponse validate(ValidateVolumeCapabilitiesRequest request) {
    new Asked("validate")
        .id("volume_id", request.getVolumeId())
        .capabilities(request.getVolumeCapabilitiesList())
        .check();
    volume(request.getVolumeId());
    List<String> faults = Capabilities.faults(request.getVolumeCapabilitiesList());
    ValidateVolumeCapabilitiesResponse.Builder told =
        ValidateVolumeCapabilitiesResponse.newBuilder();
    if (!faults.isEmpty()) {
      return told.setMessage(String.join("; ", faults)).build();
    }
    return told.setConfirmed(
            ValidateVolumeCapabilitiesResponse.Confirmed.newBuilder()
                .putAllVolumeContext(request.getVolumeContextMap())
                .addAllVolumeCapabilities(request.getVolumeCapabilitiesList())
                .putAllParameters(request.getParametersMap())
                .putAllMutableParams(request.getMutableParamsMap()))
        .build();
  }

  ListVolumesResponse volumes(ListVolumesRequest request) {
    new Asked("list volumes").page(request.getMaxEntries()).check();
    VolumeCatalog.Page<Volume> page =
        catalog.volumes(token(request.getStartingToken()), most(request.getMaxEntries()));
    ListVolumesResponse.Builder told = ListVolumesResponse.newBuilder().setNextToken(page.next());
    for (Volume volume : page.items()) {
      told.addEntries(
          ListVolumesResponse.Entry.newBuilder()
              .setVolume(Protos.volume(volume, options.topology()))
              .setStatus(
                  ListVolumesResponse.VolumeStatus.newBuilder()
                      .addAllPublishedNodeIds(nodesOf(volume.id()))
                      .setVolumeCondition(condition(volume.id()))));
    }
    return told.build();
  }

  ControllerGetVolumeResponse get(ControllerGetVolumeRequest request) {
    new Asked("get volume").id("volume_id", request.getVolumeId()).check();
    Volume volume = volume(request.getVolumeId());
    return ControllerGetVolumeResponse.newBuilder()
        .setVolume(Protos.volume(volume, options.topology()))
        .setStatus(
            ControllerGetVolumeResponse.VolumeStatus.newBuilder()
                .addAllPublishedNodeIds(nodesOf(volume.id()))
                .setVolumeCondition(condition(volume.id())))
        .build();
  }

  /** Whether the image is there. */
  VolumeCondition condition(String id) {
    String image =
        ObjectKind.VOLUME.imagePrefix() + VolumeId.tryParse(id).map(VolumeId::uuid).orElse("");
    try {
      boolean there = parts.backend().find(image).isPresent();
      return VolumeCondition.newBuilder()
          .setAbnormal(!there)
          .setMessage(there ? "the image is there" : "the image is missing")
          .build();
    } catch (Exception failed) {
      return VolumeCondition.newBuilder()
          .setAbnormal(true)
          .setMessage("the backend cannot tell: " + EvenkeelException.kindOf(failed))
          .build();
    }
  }

  GetCapacityResponse capacity(GetCapacityRequest request) {
    boolean here =
        !request.hasAccessibleTopology()
            || options.topology().isEmpty()
            || options
                .topology()
                .entrySet()
                .containsAll(request.getAccessibleTopology().getSegmentsMap().entrySet());
    boolean possible = here && Capabilities.faults(request.getVolumeCapabilitiesList()).isEmpty();
    try {
      long bytes = possible ? parts.backend().available().orElse(Long.MAX_VALUE) : 0;
      return GetCapacityResponse.newBuilder().setAvailableCapacity(bytes).build();
    } catch (EvenkeelException known) {
      throw known;
    } catch (Exception failed) {
      throw new EvenkeelException(
          ErrorKind.UNAVAILABLE, "the backend cannot tell how much is free", failed);
    }
  }

  ListSnapshotsResponse snapshots(ListSnapshotsRequest request) {
    new Asked("list snapshots").page(request.getMaxEntries()).check();
    ListSnapshotsResponse.Builder told = ListSnapshotsResponse.newBuilder();
    String after = token(request.getStartingToken());
    if (!request.getSnapshotId().isEmpty()) {
      catalog
          .snapshot(request.getSnapshotId())
          .filter(
              one ->
                  request.getSourceVolumeId().isEmpty()
                      || one.sourceId().equals(request.getSourceVolumeId()))
          .ifPresent(one -> told.addEntries(entry(one)));
      return told.build();
    }
    Optional<String> source = Optional.of(request.getSourceVolumeId()).filter(id -> !id.isEmpty());
    VolumeCatalog.Page<Snapshot> page =
        catalog.snapshots(source, after, most(request.getMaxEntries()));
    page.items().forEach(one -> told.addEntries(entry(one)));
    return told.setNextToken(page.next()).build();
  }

  private static ListSnapshotsResponse.Entry entry(Snapshot snapshot) {
    return ListSnapshotsResponse.Entry.newBuilder().setSnapshot(Protos.snapshot(snapshot)).build();
  }

  private static int most(int asked) {
    return asked == 0 ? LARGEST_PAGE : Math.min(asked, LARGEST_PAGE);
  }

  /** A token is what the page before ended with. */
  private static String token(String given) {
    if (given.isEmpty()) {
      return given;
    }
    try {
      return UUID.fromString(given).toString();
    } catch (IllegalArgumentException nonsense) {
      throw Status.ABORTED
          .withDescription("the starting token is none of this driver's: begin anew")
          .asRuntimeException();
    }
  }
}
