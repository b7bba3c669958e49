package dev.evenkeel.csi;

import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.codec.jackson.JacksonCodecs;
import dev.evenkeel.codec.jackson.JacksonEventCodec;
import dev.evenkeel.controller.EventLoops;
import dev.evenkeel.controller.core.ControllerLoop;
import dev.evenkeel.csi.v1.ControllerGrpc;
import dev.evenkeel.csi.v1.GroupControllerGrpc;
import dev.evenkeel.csi.v1.IdentityGrpc;
import dev.evenkeel.csi.v1.NodeGrpc;
import dev.evenkeel.datastore.MemoryDatastore;
import dev.evenkeel.handlers.volume.DatastoreMounter;
import dev.evenkeel.handlers.volume.VolumeHandlers;
import dev.evenkeel.handlers.volume.VolumeSettings;
import dev.evenkeel.hostpath.HostpathBackend;
import dev.evenkeel.store.local.LocalDatastore;
import dev.evenkeel.testkit.volume.FakeBackend;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A whole driver on a backend and a datastore in memory, or on real ones, and a client that speaks
 * with it over its unix socket.
 */
@SuppressWarnings("try") // ends with whatever its parts throw
final class Rig implements AutoCloseable {
  static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String NODE = "node-1";

  /** The driver that all tests are given, if there is one; see {@link OnHostpath}. */
  static @Nullable Rig shared;

  final VolumeBackend backend;
  final Datastore store;
  final ControllerLoop loop;
  final CsiServer server;
  final Path socket;
  private final ManagedChannel channel;

  private Rig(Path dir, VolumeBackend backend, Datastore store) throws Exception {
    this.backend = backend;
    this.store = store;
    VolumeSettings settings = VolumeSettings.of("demo");
    List<EventHandler> handlers = new ArrayList<>(VolumeHandlers.stock(backend, settings));
    handlers.addAll(VolumeHandlers.node(backend, settings, new DatastoreMounter(NODE, store)));
    loop =
        EventLoops.builder("csi")
            .handlers(handlers)
            .datastore(store, JacksonEventCodec.withVolumes())
            .start();
    loop.pushEvent(DatastoreResync.of(InputState.empty())).await(LIMIT).throwIfFailed();
    socket = dir.resolve("csi.sock");
    server =
        CsiServer.start(
            new CsiParts(loop, store, backend, settings),
            CsiOptions.all(NODE),
            Endpoint.parse("unix://" + socket));
    channel = channel(socket);
  }

  static Rig start(Path dir) throws Exception {
    Rig there = shared;
    return there != null ? there : new Rig(dir, FakeBackend.create(), MemoryDatastore.create());
  }

  /** On the hostpath backend and the local store. */
  static Rig real(Path dir) throws Exception {
    return new Rig(
        dir,
        HostpathBackend.open(dir.resolve("volumes")),
        LocalDatastore.open(dir.resolve("store"), new JacksonCodecs()));
  }

  /** The backend whose faults can be planned. */
  FakeBackend fake() {
    return (FakeBackend) backend;
  }

  /** A connection of its own. */
  static ManagedChannel channel(Path socket) {
    return Grpc.newChannelBuilder("unix:" + socket, InsecureChannelCredentials.create()).build();
  }

  ManagedChannel channel() {
    return channel;
  }

  String nodeId() {
    return NODE;
  }

  IdentityGrpc.IdentityBlockingStub identity() {
    return IdentityGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
  }

  ControllerGrpc.ControllerBlockingStub controller() {
    return ControllerGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
  }

  GroupControllerGrpc.GroupControllerBlockingStub groups() {
    return GroupControllerGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
  }

  NodeGrpc.NodeBlockingStub node() {
    return NodeGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
  }

  /** Ends it, unless others go on with it. */
  @Override
  public void close() throws Exception {
    if (!this.equals(shared)) {
      end();
    }
  }

  void end() throws Exception {
    var unused = channel.shutdownNow();
    boolean unused2 = channel.awaitTermination(60, TimeUnit.SECONDS);
    server.close();
    loop.close();
    store.close();
    backend.close();
  }
}
