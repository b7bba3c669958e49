package dev.evenkeel.csi;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.datastore.BlockingDatastore;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.volume.ExpandNodeVolume;
import dev.evenkeel.api.volume.MountKey;
import dev.evenkeel.api.volume.MountRecord;
import dev.evenkeel.api.volume.PublishVolume;
import dev.evenkeel.api.volume.StageVolume;
import dev.evenkeel.api.volume.UnpublishVolume;
import dev.evenkeel.api.volume.UnstageVolume;
import dev.evenkeel.api.volume.Usage;
import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.csi.v1.NodeExpandVolumeRequest;
import dev.evenkeel.csi.v1.NodeExpandVolumeResponse;
import dev.evenkeel.csi.v1.NodeGetCapabilitiesRequest;
import dev.evenkeel.csi.v1.NodeGetCapabilitiesResponse;
import dev.evenkeel.csi.v1.NodeGetInfoRequest;
import dev.evenkeel.csi.v1.NodeGetInfoResponse;
import dev.evenkeel.csi.v1.NodeGetVolumeStatsRequest;
import dev.evenkeel.csi.v1.NodeGetVolumeStatsResponse;
import dev.evenkeel.csi.v1.NodeGrpc;
import dev.evenkeel.csi.v1.NodePublishVolumeRequest;
import dev.evenkeel.csi.v1.NodePublishVolumeResponse;
import dev.evenkeel.csi.v1.NodeServiceCapability;
import dev.evenkeel.csi.v1.NodeServiceCapability.RPC;
import dev.evenkeel.csi.v1.NodeStageVolumeRequest;
import dev.evenkeel.csi.v1.NodeStageVolumeResponse;
import dev.evenkeel.csi.v1.NodeUnpublishVolumeRequest;
import dev.evenkeel.csi.v1.NodeUnpublishVolumeResponse;
import dev.evenkeel.csi.v1.NodeUnstageVolumeRequest;
import dev.evenkeel.csi.v1.NodeUnstageVolumeResponse;
import dev.evenkeel.csi.v1.VolumeUsage;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What happens to volumes on this node. */
final class NodeService extends NodeGrpc.NodeImplBase {
  private final CsiOptions options;
  private final CsiParts parts;
  private final Abilities abilities;
  private final Front front;
  private final Reading reading;
  private final BlockingDatastore store;

  NodeService(CsiOptions options, CsiParts parts, Abilities abilities, Front front) {
    this.options = options;
    this.parts = parts;
    this.abilities = abilities;
    this.front = front;
    this.reading = new Reading(options, parts);
    this.store = parts.store().blocking();
  }

  private boolean acts() {
    return options.node() && abilities.mounting();
  }

  private void able() {
    if (!acts()) {
      throw new EvenkeelException(
          ErrorKind.UNIMPLEMENTED, "this driver mounts nothing: it serves the controller only");
    }
  }

  @Override
  public void nodeGetCapabilities(
      NodeGetCapabilitiesRequest request, StreamObserver<NodeGetCapabilitiesResponse> to) {
    Front.read(
        to,
        () -> {
          List<RPC.Type> able = new ArrayList<>();
          if (acts()) {
            able.addAll(
                List.of(
                    RPC.Type.STAGE_UNSTAGE_VOLUME,
                    RPC.Type.GET_VOLUME_STATS,
                    RPC.Type.VOLUME_CONDITION,
                    RPC.Type.SINGLE_NODE_MULTI_WRITER));
          }
          if (acts() && abilities.expand()) {
            able.add(RPC.Type.EXPAND_VOLUME);
          }
          NodeGetCapabilitiesResponse.Builder all = NodeGetCapabilitiesResponse.newBuilder();
          able.forEach(
              type ->
                  all.addCapabilities(
                      NodeServiceCapability.newBuilder().setRpc(RPC.newBuilder().setType(type))));
          return all.build();
        });
  }

  @Override
  public void nodeGetInfo(NodeGetInfoRequest request, StreamObserver<NodeGetInfoResponse> to) {
    Front.read(
        to,
        () -> {
          NodeGetInfoResponse.Builder told =
              NodeGetInfoResponse.newBuilder()
                  .setNodeId(options.nodeId())
                  .setMaxVolumesPerNode(options.maxVolumes());
          if (!options.topology().isEmpty()) {
            told.setAccessibleTopology(Protos.topology(options.topology()));
          }
          return told.build();
        });
  }

  @Override
  public void nodeStageVolume(
      NodeStageVolumeRequest request, StreamObserver<NodeStageVolumeResponse> to) {
    front.act(
        to,
        () -> {
          new Asked("stage volume")
              .id("volume_id", request.getVolumeId())
              .path("staging_target_path", request.getStagingTargetPath())
              .capability(request.hasVolumeCapability(), request.getVolumeCapability())
              .check();
          able();
          Capabilities.check(List.of(request.getVolumeCapability()));
          return new StageVolume(
              reading.known(request.getVolumeId()),
              options.nodeId(),
              request.getStagingTargetPath(),
              Asked.mount(request.getVolumeCapability(), false),
              Asked.secrets(request.getSecretsMap()));
        },
        done -> NodeStageVolumeResponse.getDefaultInstance());
  }

  @Override
  public void nodeUnstageVolume(
      NodeUnstageVolumeRequest request, StreamObserver<NodeUnstageVolumeResponse> to) {
    front.act(
        to,
        () -> {
          new Asked("unstage volume")
              .id("volume_id", request.getVolumeId())
              .path("staging_target_path", request.getStagingTargetPath())
              .check();
          able();
          return new UnstageVolume(
              reading.ref(request.getVolumeId()), options.nodeId(), request.getStagingTargetPath());
        },
        done -> NodeUnstageVolumeResponse.getDefaultInstance());
  }

  @Override
  public void nodePublishVolume(
      NodePublishVolumeRequest request, StreamObserver<NodePublishVolumeResponse> to) {
    front.act(
        to,
        () -> {
          new Asked("publish volume on a node")
              .id("volume_id", request.getVolumeId())
              .path("target_path", request.getTargetPath())
              .capability(request.hasVolumeCapability(), request.getVolumeCapability())
              .check();
          able();
          new Asked("publish volume on a node")
              .path("staging_target_path", request.getStagingTargetPath())
              .check();
          Capabilities.check(List.of(request.getVolumeCapability()));
          return new PublishVolume(
              reading.known(request.getVolumeId()),
              options.nodeId(),
              request.getStagingTargetPath(),
              request.getTargetPath(),
              Asked.mount(request.getVolumeCapability(), request.getReadonly()),
              Asked.secrets(request.getSecretsMap()));
        },
        done -> NodePublishVolumeResponse.getDefaultInstance());
  }

  @Override
  public void nodeUnpublishVolume(
      NodeUnpublishVolumeRequest request, StreamObserver<NodeUnpublishVolumeResponse> to) {
    front.act(
        to,
        () -> {
          new Asked("unpublish volume on a node")
              .id("volume_id", request.getVolumeId())
              .path("target_path", request.getTargetPath())
              .check();
          able();
          return new UnpublishVolume(
              reading.ref(request.getVolumeId()), options.nodeId(), request.getTargetPath());
        },
        done -> NodeUnpublishVolumeResponse.getDefaultInstance());
  }

  @Override
  public void nodeExpandVolume(
      NodeExpandVolumeRequest request, StreamObserver<NodeExpandVolumeResponse> to) {
    front.act(
        to,
        () -> {
          new Asked("expand volume on a node")
              .id("volume_id", request.getVolumeId())
              .that(!request.getVolumePath().isEmpty(), "volume_path", "must not be empty")
              .size(false, request.getCapacityRange())
              .check();
          able();
          if (!isHere(request.getVolumeId(), request.getVolumePath())) {
            throw notHere(request.getVolumeId(), request.getVolumePath());
          }
          return new ExpandNodeVolume(
              reading.known(request.getVolumeId()),
              options.nodeId(),
              request.getVolumePath(),
              Asked.size(request.getCapacityRange()),
              Asked.secrets(request.getSecretsMap()));
        },
        volume -> NodeExpandVolumeResponse.newBuilder().setCapacityBytes(volume.size()).build());
  }

  @Override
  public void nodeGetVolumeStats(
      NodeGetVolumeStatsRequest request, StreamObserver<NodeGetVolumeStatsResponse> to) {
    Front.read(to, () -> stats(request));
  }

  private NodeGetVolumeStatsResponse stats(NodeGetVolumeStatsRequest request) {
    new Asked("volume statistics")
        .id("volume_id", request.getVolumeId())
        .path("volume_path", request.getVolumePath())
        .check();
    able();
    if (!isHere(request.getVolumeId(), request.getVolumePath())) {
      throw notHere(request.getVolumeId(), request.getVolumePath());
    }
    try {
      Usage usage = mounting().usage(request.getVolumePath());
      NodeGetVolumeStatsResponse.Builder told =
          NodeGetVolumeStatsResponse.newBuilder()
              .addUsage(
                  usage(
                      VolumeUsage.Unit.BYTES,
                      usage.totalBytes(),
                      usage.usedBytes(),
                      usage.freeBytes()))
              .setVolumeCondition(reading.condition(request.getVolumeId()));
      if (usage.totalFiles() > 0) {
        told.addUsage(
            usage(
                VolumeUsage.Unit.INODES,
                usage.totalFiles(),
                usage.usedFiles(),
                usage.totalFiles() - usage.usedFiles()));
      }
      return told.build();
    } catch (EvenkeelException known) {
      throw known;
    } catch (Exception failed) {
      throw new EvenkeelException(
          ErrorKind.UNAVAILABLE, "how full the volume is cannot be told", failed);
    }
  }

  private static VolumeUsage usage(VolumeUsage.Unit unit, long total, long used, long free) {
    return VolumeUsage.newBuilder()
        .setUnit(unit)
        .setTotal(total)
        .setUsed(used)
        .setAvailable(free)
        .build();
  }

  private VolumeBackend.Mounting mounting() {
    return parts.backend().mounting().orElseThrow();
  }

  /** Whether a volume is published at that path of this node, or staged there. */
  private boolean isHere(String id, String path) {
    if (!reading.isId(id) || !path.startsWith("/")) {
      return false;
    }
    Optional<MountRecord> published = find(new MountKey(id, options.nodeId(), path));
    Optional<MountRecord> staged = find(MountKey.stash(id, options.nodeId()));
    return published.isPresent()
        || staged.filter(record -> record.deviceMountPath().equals(path)).isPresent();
  }

  private Optional<MountRecord> find(MountKey key) {
    return store.find(key, Call.usual()).flatMap(KeyValue::value);
  }

  private static EvenkeelException notHere(String id, String path) {
    return new EvenkeelException(
        ErrorKind.NOT_FOUND, "volume " + id + " is not published at " + path);
  }
}
