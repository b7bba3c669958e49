package dev.evenkeel.csi;

import com.google.protobuf.BoolValue;
import dev.evenkeel.api.loop.EventLoop;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.csi.v1.GetPluginCapabilitiesRequest;
import dev.evenkeel.csi.v1.GetPluginCapabilitiesResponse;
import dev.evenkeel.csi.v1.GetPluginInfoRequest;
import dev.evenkeel.csi.v1.GetPluginInfoResponse;
import dev.evenkeel.csi.v1.IdentityGrpc;
import dev.evenkeel.csi.v1.PluginCapability;
import dev.evenkeel.csi.v1.ProbeRequest;
import dev.evenkeel.csi.v1.ProbeResponse;
import io.grpc.stub.StreamObserver;

/** Who this is, and whether it lives. Asks nobody, so that it answers whatever hangs. */
final class IdentityService extends IdentityGrpc.IdentityImplBase {
  private final CsiOptions options;
  private final Abilities abilities;
  private final EventLoop loop;

  IdentityService(CsiOptions options, Abilities abilities, EventLoop loop) {
    this.options = options;
    this.abilities = abilities;
    this.loop = loop;
  }

  @Override
  public void getPluginInfo(
      GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> to) {
    Front.read(
        to,
        () ->
            GetPluginInfoResponse.newBuilder()
                .setName(options.name())
                .setVendorVersion(options.version())
                .build());
  }

  @Override
  public void getPluginCapabilities(
      GetPluginCapabilitiesRequest request, StreamObserver<GetPluginCapabilitiesResponse> to) {
    Front.read(
        to,
        () -> {
          GetPluginCapabilitiesResponse.Builder all = GetPluginCapabilitiesResponse.newBuilder();
          if (options.controller()) {
            all.addCapabilities(service(PluginCapability.Service.Type.CONTROLLER_SERVICE));
          }
          if (options.controller() && abilities.groups()) {
            all.addCapabilities(service(PluginCapability.Service.Type.GROUP_CONTROLLER_SERVICE));
          }
          if (!options.topology().isEmpty()) {
            all.addCapabilities(
                service(PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS));
          }
          if (abilities.expand()) {
            all.addCapabilities(
                PluginCapability.newBuilder()
                    .setVolumeExpansion(
                        PluginCapability.VolumeExpansion.newBuilder()
                            .setType(PluginCapability.VolumeExpansion.Type.ONLINE)));
          }
          return all.build();
        });
  }

  private static PluginCapability service(PluginCapability.Service.Type type) {
    return PluginCapability.newBuilder()
        .setService(PluginCapability.Service.newBuilder().setType(type))
        .build();
  }

  /** Ready once the first resync is done; a stand-by is ready, too: it answers what it may. */
  @Override
  public void probe(ProbeRequest request, StreamObserver<ProbeResponse> to) {
    Front.read(
        to,
        () -> {
          LoopState state = loop.status().state();
          boolean ready =
              state == LoopState.RUNNING
                  || state == LoopState.DEGRADED
                  || state == LoopState.STANDBY;
          return ProbeResponse.newBuilder().setReady(BoolValue.of(ready)).build();
        });
  }
}
