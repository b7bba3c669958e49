package dev.evenkeel.app.process;

import dev.evenkeel.csi.v1.CapacityRange;
import dev.evenkeel.csi.v1.ControllerGrpc;
import dev.evenkeel.csi.v1.CreateVolumeRequest;
import dev.evenkeel.csi.v1.DeleteVolumeRequest;
import dev.evenkeel.csi.v1.ListVolumesRequest;
import dev.evenkeel.csi.v1.NodeGrpc;
import dev.evenkeel.csi.v1.VolumeCapability;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A driver in a process of its own, and a client of it. */
final class CsiDriver implements AutoCloseable {
  static final String NODE = "node-1";
  static final VolumeCapability WRITER =
      VolumeCapability.newBuilder()
          .setMount(VolumeCapability.MountVolume.getDefaultInstance())
          .setAccessMode(
              VolumeCapability.AccessMode.newBuilder()
                  .setMode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER))
          .build();

  private final Process process;
  private final ManagedChannel channel;

  private CsiDriver(Process process, Path socket) {
    this.process = process;
    channel = Grpc.newChannelBuilder("unix:" + socket, InsecureChannelCredentials.create()).build();
  }

  /** Starts it, and waits until it serves. */
  static CsiDriver start(App app, Path state, Path socket, String... more) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("csi", "--endpoint", "unix://" + socket));
    arguments.addAll(List.of("--state-dir", state.toString(), "--node-id", NODE));
    arguments.addAll(List.of(more));
    Process process = app.start(arguments);
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    List<String> said = new ArrayList<>();
    String line = lines.readLine();
    while (line != null && !line.startsWith("Serving at ")) {
      said.add(line);
      line = lines.readLine();
    }
    if (line == null) {
      throw new IllegalStateException("it does not serve: " + said);
    }
    Thread drain = new Thread(() -> lines.lines().forEach(said::add), "csi-output");
    drain.setDaemon(true);
    drain.start();
    return new CsiDriver(process, socket);
  }

  ControllerGrpc.ControllerBlockingStub controller() {
    return ControllerGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
  }

  NodeGrpc.NodeBlockingStub node() {
    return NodeGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
  }

  /** The id. */
  String create(String name) {
    return controller().createVolume(request(name)).getVolume().getVolumeId();
  }

  private static CreateVolumeRequest request(String name) {
    return CreateVolumeRequest.newBuilder()
        .setName(name)
        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(1 << 20))
        .addVolumeCapabilities(WRITER)
        .build();
  }

  boolean tryToCreate(String name) {
    try {
      return !create(name).isEmpty();
    } catch (StatusRuntimeException gone) {
      return false;
    }
  }

  void delete(String id) {
    var unused =
        controller().deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
  }

  List<String> list() {
    return controller()
        .listVolumes(ListVolumesRequest.getDefaultInstance())
        .getEntriesList()
        .stream()
        .map(entry -> entry.getVolume().getVolumeId())
        .sorted()
        .toList();
  }

  boolean endsWithin(long nanos) throws InterruptedException {
    return process.waitFor(nanos, TimeUnit.NANOSECONDS);
  }

  /** {@code kill -9}, and its end. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    int unused = process.waitFor();
  }

  /** SIGTERM, and its exit status. */
  int terminate() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new IllegalStateException("it does not end");
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    channel.shutdownNow();
    process.destroyForcibly();
    process.onExit().join();
  }
}
