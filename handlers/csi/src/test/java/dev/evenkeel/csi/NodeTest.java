package dev.evenkeel.csi;

import static dev.evenkeel.csi.Suite.S;
import static dev.evenkeel.csi.Suite.UNKNOWN;
import static dev.evenkeel.csi.Suite.atLeast;
import static dev.evenkeel.csi.Suite.exactly;
import static dev.evenkeel.csi.Suite.invalid;
import static dev.evenkeel.csi.Suite.notFound;
import static dev.evenkeel.csi.Suite.volume;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.csi.v1.NodeExpandVolumeRequest;
import dev.evenkeel.csi.v1.NodeGetCapabilitiesRequest;
import dev.evenkeel.csi.v1.NodeGetInfoRequest;
import dev.evenkeel.csi.v1.NodeGetInfoResponse;
import dev.evenkeel.csi.v1.NodePublishVolumeRequest;
import dev.evenkeel.csi.v1.NodeStageVolumeRequest;
import dev.evenkeel.csi.v1.NodeUnpublishVolumeRequest;
import dev.evenkeel.csi.v1.NodeUnstageVolumeRequest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeTest {
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
  @DisplayName("CSI-70 node expand without a volume")
  void expandWithoutVolume() {
    invalid(() -> expand("", suite.target(), S));
  }

  @Test
  @DisplayName("CSI-71 node expand without a path")
  void expandWithoutPath() {
    String id = suite.create("a").getVolumeId();
    invalid(() -> expand(id, "", S));
  }

  @Test
  @DisplayName("CSI-72 node expand of a volume that is not there, at a relative path")
  void expandUnknown() {
    notFound(() -> expand(UNKNOWN, "some/path", S));
  }

  @Test
  @DisplayName("CSI-73 expand, publish, node expand")
  void expands() {
    String id = suite.create(volume("a").setCapacityRange(exactly(S)).build()).getVolumeId();
    assertEquals(
        2 * S,
        suite
            .rig
            .controller()
            .controllerExpandVolume(Requests.expand(id, exactly(2 * S)))
            .getCapacityBytes());
    chain(id, 1);
    expand(id, suite.target(), 2 * S);
  }

  @Test
  @DisplayName("CSI-74 the node's capabilities are those that CSI 1.10 knows")
  void capabilities() {
    List<Integer> all =
        suite
            .rig
            .node()
            .nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance())
            .getCapabilitiesList()
            .stream()
            .map(c -> c.getRpc().getTypeValue())
            .toList();
    assertTrue(all.stream().allMatch(v -> v >= 1 && v <= 6), all::toString);
    assertTrue(all.containsAll(List.of(1, 2, 3, 4, 5)), all::toString);
  }

  @Test
  @DisplayName("CSI-75 the node tells its id, its limit and where it is")
  void info() {
    NodeGetInfoResponse info =
        suite.rig.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
    assertFalse(info.getNodeId().isEmpty());
    assertEquals(64, info.getMaxVolumesPerNode());
    assertFalse(info.getAccessibleTopology().getSegmentsMap().isEmpty());
  }

  @Test
  @DisplayName("CSI-76 CSI-77 CSI-79 statistics without a volume, without a path, of none")
  void badStats() {
    invalid(() -> stats("", suite.target()));
    invalid(() -> stats(UNKNOWN, ""));
    notFound(() -> stats(UNKNOWN, suite.target()));
  }

  @Test
  @DisplayName("CSI-78 statistics of a published volume at another path")
  void statsElsewhere() {
    String id = suite.create("a").getVolumeId();
    chain(id, 1);
    notFound(() -> stats(id, dir.resolve("elsewhere").toString()));
  }

  @Test
  @DisplayName("CSI-80 CSI-81 CSI-82 node publish without what it needs")
  void publishWithout() {
    NodePublishVolumeRequest whole =
        NodePublishVolumeRequest.newBuilder()
            .setVolumeId(UNKNOWN)
            .setStagingTargetPath(suite.staging())
            .setTargetPath(suite.target())
            .setVolumeCapability(Suite.writer())
            .build();
    invalid(() -> suite.rig.node().nodePublishVolume(whole.toBuilder().clearTargetPath().build()));
    invalid(
        () ->
            suite.rig.node().nodePublishVolume(whole.toBuilder().clearVolumeCapability().build()));
    invalid(() -> suite.rig.node().nodePublishVolume(whole.toBuilder().clearVolumeId().build()));
  }

  @Test
  @DisplayName("CSI-83 CSI-84 CSI-85 stage without what it needs")
  void stageWithout() {
    NodeStageVolumeRequest whole =
        NodeStageVolumeRequest.newBuilder()
            .setVolumeId(suite.create(volume("a").build()).getVolumeId())
            .setStagingTargetPath(suite.staging())
            .setVolumeCapability(Suite.writer())
            .build();
    invalid(
        () -> suite.rig.node().nodeStageVolume(whole.toBuilder().clearStagingTargetPath().build()));
    invalid(
        () -> suite.rig.node().nodeStageVolume(whole.toBuilder().clearVolumeCapability().build()));
    invalid(() -> suite.rig.node().nodeStageVolume(whole.toBuilder().clearVolumeId().build()));
  }

  @Test
  @DisplayName("CSI-86 CSI-87 node unpublish without what it needs")
  void unpublishWithout() {
    invalid(
        () ->
            suite
                .rig
                .node()
                .nodeUnpublishVolume(
                    NodeUnpublishVolumeRequest.newBuilder().setVolumeId(UNKNOWN).build()));
    invalid(
        () ->
            suite
                .rig
                .node()
                .nodeUnpublishVolume(
                    NodeUnpublishVolumeRequest.newBuilder().setTargetPath(suite.target()).build()));
  }

  @Test
  @DisplayName("CSI-88 CSI-92 stage, publish, statistics, unpublish")
  void once() {
    String id = suite.create("a").getVolumeId();
    chain(id, 1);
    assertTrue(stats(id, suite.target()) >= 1, "at least one entry");
    suite.nodeUnpublish(id);
    notFound(() -> stats(id, suite.target()));
  }

  @Test
  @DisplayName("CSI-89 CSI-90 unstage without what it needs")
  void unstageWithout() {
    invalid(
        () ->
            suite
                .rig
                .node()
                .nodeUnstageVolume(
                    NodeUnstageVolumeRequest.newBuilder().setVolumeId(UNKNOWN).build()));
    invalid(
        () ->
            suite
                .rig
                .node()
                .nodeUnstageVolume(
                    NodeUnstageVolumeRequest.newBuilder()
                        .setStagingTargetPath(suite.staging())
                        .build()));
  }

  @Test
  @DisplayName("CSI-91 the whole chain, ten times over")
  void tenTimes() {
    String id = suite.create("a").getVolumeId();
    chain(id, 10);
    assertTrue(stats(id, suite.target()) >= 1, "at least one entry");
  }

  private void chain(String id, int times) {
    var unused = suite.publish(id, false);
    for (int i = 0; i < times; i++) {
      suite.stage(id);
    }
    for (int i = 0; i < times; i++) {
      suite.nodePublish(id);
    }
  }

  private void expand(String id, String path, long bytes) {
    var unused =
        suite
            .rig
            .node()
            .nodeExpandVolume(
                NodeExpandVolumeRequest.newBuilder()
                    .setVolumeId(id)
                    .setVolumePath(path)
                    .setCapacityRange(atLeast(bytes))
                    .build());
  }

  private int stats(String id, String path) {
    return suite.rig.node().nodeGetVolumeStats(Requests.stats(id, path)).getUsageCount();
  }
}
