package dev.evenkeel.csi;

import static dev.evenkeel.csi.Suite.S;
import static dev.evenkeel.csi.Suite.exactly;
import static dev.evenkeel.csi.Suite.notFound;
import static dev.evenkeel.csi.Suite.volume;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.csi.v1.ControllerGetVolumeRequest;
import dev.evenkeel.csi.v1.ControllerGetVolumeResponse;
import dev.evenkeel.csi.v1.CreateVolumeRequest;
import dev.evenkeel.csi.v1.ListVolumesResponse;
import dev.evenkeel.csi.v1.ProbeRequest;
import dev.evenkeel.csi.v1.Volume;
import dev.evenkeel.csi.v1.VolumeCapability;
import dev.evenkeel.testkit.volume.FaultPoints;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the conformance suite never looks at, and what sidecars need beyond it. */
class BeyondTest {
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
  @DisplayName("Where a volume is published is told exactly, in the list and of the one")
  void publishedNodes() {
    String id = suite.create("a").getVolumeId();
    assertEquals(List.of(), get(id).getStatus().getPublishedNodeIdsList());
    var unused = suite.publish(id, false);
    assertEquals(List.of(suite.rig.nodeId()), get(id).getStatus().getPublishedNodeIdsList());
    ListVolumesResponse list = suite.rig.controller().listVolumes(Requests.ALL_VOLUMES);
    assertEquals(
        List.of(suite.rig.nodeId()), list.getEntries(0).getStatus().getPublishedNodeIdsList());
    suite.unpublish(id, suite.rig.nodeId());
    assertEquals(List.of(), get(id).getStatus().getPublishedNodeIdsList());
    assertFalse(get(id).getStatus().getVolumeCondition().getAbnormal());
  }

  @Test
  @DisplayName("A volume that is not there cannot be looked at")
  void getUnknown() {
    notFound(() -> get(Suite.UNKNOWN));
  }

  @Test
  @DisplayName("Unpublish from a node that is gone, or of a volume that is, is done already")
  void unpublishGone() {
    String id = suite.create("a").getVolumeId();
    suite.unpublish(id, "node-that-is-gone");
    suite.delete(id);
    suite.unpublish(id, suite.rig.nodeId());
    suite.unpublish(Suite.UNKNOWN, suite.rig.nodeId());
  }

  @Test
  @DisplayName("A request without a size is served, and its repeat finds the same volume")
  void withoutSize() {
    Volume first = suite.create(volume("a").build());
    assertTrue(first.getCapacityBytes() > 0);
    assertEquals(first, suite.create(volume("a").build()));
  }

  @Test
  @DisplayName("Every access mode of a single node is served")
  void accessModes() {
    for (VolumeCapability.AccessMode.Mode mode :
        List.of(
            VolumeCapability.AccessMode.Mode.SINGLE_NODE_SINGLE_WRITER,
            VolumeCapability.AccessMode.Mode.SINGLE_NODE_MULTI_WRITER,
            VolumeCapability.AccessMode.Mode.SINGLE_NODE_READER_ONLY)) {
      var unused =
          suite.create(
              CreateVolumeRequest.newBuilder()
                  .setName("with-" + mode.getNumber())
                  .addVolumeCapabilities(Suite.with(mode))
                  .setCapacityRange(exactly(S))
                  .build());
    }
  }

  @Test
  @DisplayName("Identity answers while the backend hangs")
  void identityWhileHanging() throws Exception {
    suite.rig.fake().faults().arm("apply create-image", FaultPoints.Fault.HANG_BEFORE);
    Thread client = new Thread(() -> suite.create("a"), "hanging-client");
    client.start();
    try {
      assertTrue(suite.rig.fake().faults().awaitHanging(Rig.LIMIT));
      assertTrue(
          suite.rig.identity().probe(ProbeRequest.getDefaultInstance()).getReady().getValue());
    } finally {
      suite.rig.fake().faults().release();
      client.join();
    }
  }

  @Test
  @DisplayName("A log line has the names of secrets and nothing of their values")
  void masked() {
    String line =
        Masked.text(volume("a\nforged").putSecrets("user-key", "hunter2-planted").build());
    assertTrue(line.contains("user-key"), line);
    assertFalse(line.contains("hunter2-planted"), line);
    assertFalse(line.contains("\n"), line);
  }

  private ControllerGetVolumeResponse get(String id) {
    return suite
        .rig
        .controller()
        .controllerGetVolume(ControllerGetVolumeRequest.newBuilder().setVolumeId(id).build());
  }
}
