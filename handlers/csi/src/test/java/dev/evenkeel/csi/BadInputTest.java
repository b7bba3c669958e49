package dev.evenkeel.csi;

import static dev.evenkeel.csi.Suite.invalid;
import static dev.evenkeel.csi.Suite.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.evenkeel.csi.v1.CapacityRange;
import dev.evenkeel.csi.v1.CreateSnapshotRequest;
import dev.evenkeel.csi.v1.CreateVolumeRequest;
import dev.evenkeel.csi.v1.ListSnapshotsRequest;
import dev.evenkeel.csi.v1.ListVolumesRequest;
import dev.evenkeel.csi.v1.NodePublishVolumeRequest;
import dev.evenkeel.csi.v1.NodeStageVolumeRequest;
import dev.evenkeel.csi.v1.NodeUnpublishVolumeRequest;
import dev.evenkeel.csi.v1.ProbeRequest;
import dev.evenkeel.csi.v1.VolumeCapability;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BadInputTest {
  @TempDir Path dir;
  private Suite suite;

  @BeforeEach
  void start() throws Exception {
    suite = new Suite(dir);
  }

  /** Nothing may be left: the suite looks at the lists when it is closed. */
  @AfterEach
  void cleanUp() throws Exception {
    var unused = suite.rig.identity().probe(ProbeRequest.getDefaultInstance());
    suite.close();
  }

  @ParameterizedTest(name = "{index}")
  @ValueSource(strings = {"../up", "a/../b", "nul\0", "new\nline", "/", ".."})
  @DisplayName("Names that lead elsewhere, or hide something, are refused")
  void maliciousNames(String name) {
    invalid(() -> create(Suite.volume(name).build()));
    invalid(() -> snapshot(name));
  }

  @Test
  @DisplayName("Names that are too long are refused")
  void longNames() {
    invalid(() -> create(Suite.volume("n".repeat(129)).build()));
    invalid(() -> snapshot("n".repeat(129)));
  }

  @Test
  @DisplayName("Sizes that are negative, or contradict themselves, are refused")
  void sizes() {
    invalid(() -> create(sized(-1, 0)));
    invalid(() -> create(sized(0, -1)));
    invalid(() -> create(sized(2 << 20, 1 << 20)));
    invalid(() -> create(sized(Long.MIN_VALUE, Long.MAX_VALUE)));
  }

  @Test
  @DisplayName("A capability without a type or a mode, or with one that several nodes need")
  void capabilities() {
    CreateVolumeRequest.Builder plain = CreateVolumeRequest.newBuilder().setName("a");
    invalid(
        () -> create(plain.clone().addVolumeCapabilities(VolumeCapability.newBuilder()).build()));
    invalid(
        () ->
            create(
                plain
                    .clone()
                    .addVolumeCapabilities(Suite.writer().toBuilder().clearAccessMode())
                    .build()));
    invalid(
        () ->
            create(
                plain
                    .clone()
                    .addVolumeCapabilities(
                        Suite.with(VolumeCapability.AccessMode.Mode.MULTI_NODE_MULTI_WRITER))
                    .build()));
  }

  @Test
  @DisplayName("Parameters that nobody knows are refused, those of the orchestrator pass")
  void parameters() {
    invalid(() -> create(Suite.volume("a").putParameters("made-up", "1").build()));
    var unused =
        suite.create(
            Suite.volume("b").putParameters("csi.storage.k8s.io/pvc/name", "claim").build());
  }

  @ParameterizedTest(name = "{index}")
  @ValueSource(strings = {"/a/../../etc", "relative", "/nul\0", "/new\nline"})
  @DisplayName("Paths that lead elsewhere are refused")
  void paths(String path) {
    String id = suite.create("a").getVolumeId();
    invalid(
        () ->
            suite
                .rig
                .node()
                .nodeStageVolume(
                    NodeStageVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setStagingTargetPath(path)
                        .setVolumeCapability(Suite.writer())
                        .build()));
    invalid(
        () ->
            suite
                .rig
                .node()
                .nodePublishVolume(
                    NodePublishVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setStagingTargetPath(suite.staging())
                        .setTargetPath(path)
                        .setVolumeCapability(Suite.writer())
                        .build()));
    invalid(
        () ->
            suite
                .rig
                .node()
                .nodeUnpublishVolume(
                    NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setTargetPath(path)
                        .build()));
  }

  @Test
  @DisplayName("Pages of a negative length are refused")
  void pages() {
    invalid(
        () ->
            suite
                .rig
                .controller()
                .listVolumes(ListVolumesRequest.newBuilder().setMaxEntries(-1).build()));
    invalid(
        () ->
            suite
                .rig
                .controller()
                .listSnapshots(ListSnapshotsRequest.newBuilder().setMaxEntries(-1).build()));
  }

  @Test
  @DisplayName("4 MB of parameters are refused, and nothing is made")
  void hugeMetadata() {
    refused(
        EnumSet.of(Status.Code.RESOURCE_EXHAUSTED, Status.Code.INVALID_ARGUMENT),
        () -> create(Suite.volume("a").putParameters("p", "x".repeat(4 << 20)).build()));
  }

  @Test
  @DisplayName("Bytes that are no message are an invalid argument, of every service")
  void garbage() throws Exception {
    for (String method :
        new String[] {
          "csi.v1.Identity/Probe",
          "csi.v1.Controller/CreateVolume",
          "csi.v1.GroupController/GetVolumeGroupSnapshot",
          "csi.v1.Node/NodeStageVolume"
        }) {
      byte[] badUtf8 = {0x0a, 2, (byte) 0xff, (byte) 0xfe};
      byte[] truncated = {0x0a, 100, 'a'};
      assertEquals(Status.Code.INVALID_ARGUMENT, raw(method, truncated), method);
      if (method.endsWith("CreateVolume")) {
        assertEquals(Status.Code.INVALID_ARGUMENT, raw(method, badUtf8), method);
      }
    }
  }

  @Test
  @DisplayName("Every text of a create that is far too long is refused, whichever field it is in")
  void everyTextTooLong() {
    CreateVolumeRequest whole = Suite.volume("a").build();
    for (FieldDescriptor field : whole.getDescriptorForType().getFields()) {
      if (field.getJavaType() == FieldDescriptor.JavaType.STRING) {
        Message bad = whole.toBuilder().setField(field, "x".repeat(300)).build();
        invalid(() -> create((CreateVolumeRequest) bad));
      }
    }
    invalid(() -> create(Suite.volume("a").putParameters("kind", "x".repeat(5000)).build()));
    invalid(
        () ->
            create(
                Suite.volume("a")
                    .setVolumeContentSource(Requests.ofVolume("x".repeat(300)))
                    .build()));
  }

  private Status.Code raw(String name, byte[] bytes) throws Exception {
    MethodDescriptor.Marshaller<byte[]> marshaller =
        new MethodDescriptor.Marshaller<>() {
          @Override
          public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
          }

          @Override
          public byte[] parse(InputStream stream) {
            return String.valueOf(stream).getBytes(StandardCharsets.UTF_8);
          }
        };
    ClientCall<byte[], byte[]> call =
        suite
            .rig
            .channel()
            .newCall(
                MethodDescriptor.newBuilder(marshaller, marshaller)
                    .setType(MethodDescriptor.MethodType.UNARY)
                    .setFullMethodName(name)
                    .build(),
                CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS));
    CompletableFuture<Status> ended = new CompletableFuture<>();
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            ended.complete(status);
          }
        },
        new Metadata());
    call.request(2);
    call.sendMessage(bytes);
    call.halfClose();
    return ended.get(60, TimeUnit.SECONDS).getCode();
  }

  private static CreateVolumeRequest sized(long required, long limit) {
    return Suite.volume("a")
        .setCapacityRange(
            CapacityRange.newBuilder().setRequiredBytes(required).setLimitBytes(limit))
        .build();
  }

  private void create(CreateVolumeRequest request) {
    var unused = suite.rig.controller().createVolume(request);
  }

  private void snapshot(String name) {
    var unused =
        suite
            .rig
            .controller()
            .createSnapshot(
                CreateSnapshotRequest.newBuilder()
                    .setName(name)
                    .setSourceVolumeId(Suite.UNKNOWN)
                    .build());
  }
}
