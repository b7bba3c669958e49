package dev.evenkeel.csi;

import static dev.evenkeel.csi.Suite.S;
import static dev.evenkeel.csi.Suite.UNKNOWN;
import static dev.evenkeel.csi.Suite.exactly;
import static dev.evenkeel.csi.Suite.invalid;
import static dev.evenkeel.csi.Suite.notFound;
import static dev.evenkeel.csi.Suite.refused;
import static dev.evenkeel.csi.Suite.volume;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.csi.v1.ControllerGetCapabilitiesRequest;
import dev.evenkeel.csi.v1.ControllerPublishVolumeRequest;
import dev.evenkeel.csi.v1.ControllerServiceCapability;
import dev.evenkeel.csi.v1.ControllerUnpublishVolumeRequest;
import dev.evenkeel.csi.v1.CreateVolumeRequest;
import dev.evenkeel.csi.v1.DeleteVolumeRequest;
import dev.evenkeel.csi.v1.GetCapacityRequest;
import dev.evenkeel.csi.v1.ListVolumesRequest;
import dev.evenkeel.csi.v1.NodeGetInfoRequest;
import dev.evenkeel.csi.v1.Snapshot;
import dev.evenkeel.csi.v1.TopologyRequirement;
import dev.evenkeel.csi.v1.ValidateVolumeCapabilitiesRequest;
import dev.evenkeel.csi.v1.Volume;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControllerTest {
  @TempDir Path dir;
  private Suite suite;

  @BeforeEach
  void start() throws Exception {
    suite = new Suite(dir);
  }

  @AfterEach
  void cleanUp() throws Exception {
    suite.close();
  }

  @Test
  @DisplayName("CSI-1 all fourteen capabilities of CSI 1.10 are advertised, and no other")
  void capabilities() {
    List<Integer> all =
        suite
            .rig
            .controller()
            .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
            .getCapabilitiesList()
            .stream()
            .map(ControllerServiceCapability::getRpc)
            .map(ControllerServiceCapability.RPC::getTypeValue)
            .sorted()
            .toList();
    assertEquals(IntStream.rangeClosed(1, 14).boxed().toList(), all);
  }

  @Test
  @DisplayName("CSI-2 publish without a node")
  void publishWithoutNode() {
    invalid(() -> publish(Requests.publish(UNKNOWN, "").build()));
  }

  @Test
  @DisplayName("CSI-3 publish without a capability")
  void publishWithoutCapability() {
    invalid(
        () ->
            publish(
                ControllerPublishVolumeRequest.newBuilder()
                    .setVolumeId(UNKNOWN)
                    .setNodeId(UNKNOWN)
                    .build()));
  }

  @Test
  @DisplayName("CSI-4 publish without a volume")
  void publishWithoutVolume() {
    invalid(() -> publish(Requests.publish("", UNKNOWN).build()));
  }

  @Test
  @DisplayName("CSI-5 a node takes as many volumes as it says, and not one more")
  void mostVolumes() {
    long most =
        suite
            .rig
            .node()
            .nodeGetInfo(NodeGetInfoRequest.getDefaultInstance())
            .getMaxVolumesPerNode();
    assertEquals(64, most);
    for (int i = 0; i < most; i++) {
      Volume one = suite.create(volume("v" + i).setCapacityRange(exactly(S)).build());
      var unused = suite.publish(one.getVolumeId(), false);
    }
    Volume more = suite.create(volume("one-more").setCapacityRange(exactly(S)).build());
    refused(
        Status.Code.RESOURCE_EXHAUSTED,
        () -> publish(Requests.publish(more.getVolumeId(), suite.rig.nodeId()).build()));
  }

  @Test
  @DisplayName("CSI-5 a node takes as many as it says, also when more come at once")
  void mostVolumesAtOnce() throws Exception {
    int most = 64;
    List<Volume> all = new ArrayList<>();
    for (int i = 0; i < most + 6; i++) {
      all.add(suite.create(volume("at-once-" + i).setCapacityRange(exactly(S)).build()));
    }
    List<Callable<Status.Code>> calls = new ArrayList<>();
    for (Volume one : all) {
      calls.add(
          () -> {
            try {
              publish(Requests.publish(one.getVolumeId(), suite.rig.nodeId()).build());
              return Status.Code.OK;
            } catch (StatusRuntimeException refused) {
              return refused.getStatus().getCode();
            }
          });
    }
    Map<Status.Code, Integer> codes = new EnumMap<>(Status.Code.class);
    ExecutorService clients = Executors.newFixedThreadPool(16);
    try {
      for (Future<Status.Code> one : clients.invokeAll(calls)) {
        codes.merge(one.get(), 1, Integer::sum);
      }
    } finally {
      clients.shutdown();
      for (Volume one : all) {
        suite.unpublish(one.getVolumeId(), suite.rig.nodeId());
      }
    }

    assertEquals(Map.of(Status.Code.OK, most, Status.Code.RESOURCE_EXHAUSTED, 6), codes);
  }

  @Test
  @DisplayName("CSI-6 publish to a node that is not there")
  void publishToUnknownNode() {
    Volume made = suite.create(volume("a").build());
    notFound(() -> publish(Requests.publish(made.getVolumeId(), UNKNOWN).build()));
  }

  @Test
  @DisplayName("CSI-7 publish of a volume that is not there")
  void publishUnknown() {
    notFound(() -> publish(Requests.publish(UNKNOWN, UNKNOWN).build()));
  }

  @Test
  @DisplayName("CSI-8 publish for writing, then read-only")
  void publishOtherwise() {
    Volume made = suite.create(volume("a").build());
    var unused = suite.publish(made.getVolumeId(), false);
    refused(
        Status.Code.ALREADY_EXISTS,
        () ->
            publish(
                Requests.publish(made.getVolumeId(), suite.rig.nodeId())
                    .setReadonly(true)
                    .build()));
  }

  @Test
  @DisplayName("CSI-9 unpublish without a volume")
  void unpublishWithoutVolume() {
    invalid(
        () ->
            suite
                .rig
                .controller()
                .controllerUnpublishVolume(ControllerUnpublishVolumeRequest.getDefaultInstance()));
  }

  @Test
  @DisplayName("CSI-10 a volume of a snapshot tells what it was made of")
  void fromSnapshot() {
    Volume source = suite.create(volume("a").setCapacityRange(exactly(S)).build());
    Snapshot cut = suite.snapshot("s", source.getVolumeId());
    while (!cut.getReadyToUse()) {
      cut = suite.snapshot("s", source.getVolumeId());
    }
    Volume made =
        suite.create(
            volume("b")
                .setCapacityRange(exactly(S))
                .setVolumeContentSource(Requests.ofSnapshot(cut.getSnapshotId()))
                .build());
    assertEquals(Requests.ofSnapshot(cut.getSnapshotId()), made.getContentSource());
  }

  @Test
  @DisplayName("CSI-11 a volume of a volume tells what it was made of")
  void fromVolume() {
    Volume source = suite.create(volume("a").setCapacityRange(exactly(S)).build());
    Volume made =
        suite.create(
            volume("b")
                .setCapacityRange(exactly(S))
                .setVolumeContentSource(Requests.ofVolume(source.getVolumeId()))
                .build());
    assertEquals(Requests.ofVolume(source.getVolumeId()), made.getContentSource());
  }

  @Test
  @DisplayName("CSI-12 create with a parameter that may change")
  void mutable() {
    var unused =
        suite.create(
            volume("a").setCapacityRange(exactly(S)).putMutableParams("iops", "100").build());
  }

  @Test
  @DisplayName("CSI-13 create without a name")
  void withoutName() {
    invalid(() -> create(CreateVolumeRequest.getDefaultInstance()));
  }

  @Test
  @DisplayName("CSI-14 create without capabilities")
  void withoutCapabilities() {
    invalid(() -> create(CreateVolumeRequest.newBuilder().setName("a").build()));
  }

  @Test
  @DisplayName("CSI-15 the same name with another size")
  void otherSize() {
    var unused = suite.create(volume("a").setCapacityRange(exactly(S)).build());
    refused(
        Status.Code.ALREADY_EXISTS,
        () -> create(volume("a").setCapacityRange(exactly(2 * S)).build()));
  }

  @Test
  @DisplayName("CSI-16 create from a snapshot that is not there")
  void fromUnknownSnapshot() {
    notFound(
        () -> create(volume("a").setVolumeContentSource(Requests.ofSnapshot(UNKNOWN)).build()));
  }

  @Test
  @DisplayName("CSI-17 create from a volume that is not there")
  void fromUnknownVolume() {
    notFound(() -> create(volume("a").setVolumeContentSource(Requests.ofVolume(UNKNOWN)).build()));
  }

  @Test
  @DisplayName("CSI-18 create with a made-up parameter that may change")
  void madeUpMutable() {
    invalid(() -> create(volume("a").putMutableParams("made-up", "1").build()));
  }

  @Test
  @DisplayName("CSI-19 a name of 128 characters")
  void longestName() {
    assertEquals(S, suite.create("n".repeat(128)).getCapacityBytes());
  }

  @Test
  @DisplayName("CSI-20 the same request twice")
  void twice() {
    assertEquals(suite.create("a"), suite.create("a"));
  }

  @Test
  @DisplayName("CSI-21 CSI-22 create with a size")
  void sized() {
    assertEquals(S, suite.create("a").getCapacityBytes());
  }

  @Test
  @DisplayName("CSI-23 delete without a volume")
  void deleteWithout() {
    invalid(() -> suite.rig.controller().deleteVolume(DeleteVolumeRequest.getDefaultInstance()));
  }

  @Test
  @DisplayName("CSI-24 create, then delete")
  void createDelete() {
    Volume made = suite.create("a");
    suite.delete(made.getVolumeId());
    assertEquals(0, entries());
  }

  @Test
  @DisplayName("CSI-25 delete of what is not there")
  void deleteUnknown() {
    suite.delete(UNKNOWN);
  }

  @Test
  @DisplayName("CSI-26 capacity, asked without anything")
  void capacity() {
    assertTrue(
        suite
                .rig
                .controller()
                .getCapacity(GetCapacityRequest.getDefaultInstance())
                .getAvailableCapacity()
            >= 0);
  }

  @Test
  @DisplayName("CSI-27 a list has one entry more after a create, and one less after the delete")
  void list() {
    var before = suite.create("before");
    assertEquals(1, entries());
    Volume made = suite.create(volume("sanity").build());
    assertEquals(2, entries());
    suite.delete(made.getVolumeId());
    assertEquals(1, entries());
    assertFalse(before.getVolumeId().isEmpty());
  }

  @Test
  @DisplayName("CSI-28 pages of a list stay right while volumes come and go")
  void pages() {
    List<Volume> made = IntStream.range(0, 6).mapToObj(i -> suite.create("p" + i)).toList();
    var list = suite.rig.controller();
    var first = list.listVolumes(ListVolumesRequest.newBuilder().setMaxEntries(2).build());
    assertEquals(2, first.getEntriesCount());
    String shown = first.getEntries(1).getVolume().getVolumeId();
    suite.delete(shown);
    var unused = suite.create("p-new");
    var rest =
        list.listVolumes(
            ListVolumesRequest.newBuilder().setStartingToken(first.getNextToken()).build());
    List<String> seen =
        rest.getEntriesList().stream().map(e -> e.getVolume().getVolumeId()).toList();
    List<String> old =
        made.stream()
            .map(Volume::getVolumeId)
            .filter(id -> !id.equals(shown))
            .filter(id -> !id.equals(first.getEntries(0).getVolume().getVolumeId()))
            .toList();
    assertTrue(seen.containsAll(old), "what was there all the time is shown");
    assertFalse(seen.contains(first.getEntries(0).getVolume().getVolumeId()), "and only once");
    assertTrue(rest.getNextToken().isEmpty(), "nothing is left");
  }

  @Test
  @DisplayName("CSI-29 a nonsense token")
  void badToken() {
    refused(
        Status.Code.ABORTED,
        () ->
            suite
                .rig
                .controller()
                .listVolumes(
                    ListVolumesRequest.newBuilder().setStartingToken("invalid-token").build()));
  }

  @Test
  @DisplayName("CSI-30 a list without limits")
  void listAll() {
    Volume made = suite.create("a");
    assertEquals(
        made.getVolumeId(),
        suite
            .rig
            .controller()
            .listVolumes(Requests.ALL_VOLUMES)
            .getEntries(0)
            .getVolume()
            .getVolumeId());
  }

  @Test
  @DisplayName("CSI-31 validate without capabilities")
  void validateWithout() {
    Volume made = suite.create("a");
    invalid(
        () ->
            validate(
                ValidateVolumeCapabilitiesRequest.newBuilder()
                    .setVolumeId(made.getVolumeId())
                    .build()));
  }

  @Test
  @DisplayName("CSI-32 validate without a volume")
  void validateWithoutVolume() {
    invalid(() -> validate(ValidateVolumeCapabilitiesRequest.getDefaultInstance()));
  }

  @Test
  @DisplayName("CSI-33 validate what is not there")
  void validateUnknown() {
    notFound(() -> validate(Requests.validate(UNKNOWN)));
  }

  @Test
  @DisplayName("CSI-34 validate confirms what it was created with")
  void validates() {
    Volume made = suite.create("a");
    assertEquals(
        List.of(Suite.writer()),
        suite
            .rig
            .controller()
            .validateVolumeCapabilities(Requests.validate(made.getVolumeId()))
            .getConfirmed()
            .getVolumeCapabilitiesList());
  }

  @Test
  @DisplayName("CSI-35 CSI-36 publish, ten times, in the node's topology")
  void publishTen() {
    var topology =
        suite
            .rig
            .node()
            .nodeGetInfo(NodeGetInfoRequest.getDefaultInstance())
            .getAccessibleTopology();
    Volume made =
        suite.create(
            volume("a")
                .setAccessibilityRequirements(
                    TopologyRequirement.newBuilder().addRequisite(topology))
                .build());
    assertEquals(List.of(topology), made.getAccessibleTopologyList());
    for (int i = 0; i < 10; i++) {
      var unused = suite.publish(made.getVolumeId(), false);
    }
  }

  private int entries() {
    return suite.rig.controller().listVolumes(Requests.ALL_VOLUMES).getEntriesCount();
  }

  private void publish(ControllerPublishVolumeRequest request) {
    var unused = suite.rig.controller().controllerPublishVolume(request);
  }

  private void create(CreateVolumeRequest request) {
    var unused = suite.rig.controller().createVolume(request);
  }

  private void validate(ValidateVolumeCapabilitiesRequest request) {
    var unused = suite.rig.controller().validateVolumeCapabilities(request);
  }
}
