package dev.evenkeel.csi;

import static dev.evenkeel.csi.Suite.UNKNOWN;
import static dev.evenkeel.csi.Suite.invalid;
import static dev.evenkeel.csi.Suite.notFound;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.csi.v1.CreateVolumeGroupSnapshotRequest;
import dev.evenkeel.csi.v1.DeleteVolumeGroupSnapshotRequest;
import dev.evenkeel.csi.v1.GetVolumeGroupSnapshotRequest;
import dev.evenkeel.csi.v1.GroupControllerGetCapabilitiesRequest;
import dev.evenkeel.csi.v1.GroupControllerServiceCapability;
import dev.evenkeel.csi.v1.Snapshot;
import dev.evenkeel.csi.v1.VolumeGroupSnapshot;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupTest {
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
  @DisplayName("CSI-48 the one capability of groups")
  void capabilities() {
    assertEquals(
        List.of(GroupControllerServiceCapability.RPC.Type.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT),
        suite
            .rig
            .groups()
            .groupControllerGetCapabilities(
                GroupControllerGetCapabilitiesRequest.getDefaultInstance())
            .getCapabilitiesList()
            .stream()
            .map(c -> c.getRpc().getType())
            .toList());
  }

  @Test
  @DisplayName("CSI-49 a group without a name")
  void withoutName() {
    invalid(
        () ->
            suite
                .rig
                .groups()
                .createVolumeGroupSnapshot(
                    CreateVolumeGroupSnapshotRequest.newBuilder()
                        .addSourceVolumeIds(UNKNOWN)
                        .build()));
  }

  @Test
  @DisplayName("CSI-50 CSI-51 delete without a group, and of one that is not there")
  void deletes() {
    invalid(() -> delete(""));
    delete(UNKNOWN);
  }

  @Test
  @DisplayName("CSI-52 CSI-53 get without a group, and of one that is not there")
  void gets() {
    notFound(() -> get(UNKNOWN));
    invalid(() -> get(""));
  }

  @Test
  @DisplayName("A group is cut of its volumes, found again, and removed with its snapshots")
  void whole() {
    String a = suite.create("a").getVolumeId();
    String b = suite.create("b").getVolumeId();
    VolumeGroupSnapshot made = create("g", a, b);
    assertEquals(
        Set.of(a, b),
        made.getSnapshotsList().stream()
            .map(Snapshot::getSourceVolumeId)
            .collect(Collectors.toSet()));
    assertTrue(
        made.getSnapshotsList().stream()
            .allMatch(s -> s.getGroupSnapshotId().equals(made.getGroupSnapshotId())));
    assertEquals(made, create("g", a, b));
    assertEquals(made, get(made.getGroupSnapshotId()));
    delete(made.getGroupSnapshotId());
    notFound(() -> get(made.getGroupSnapshotId()));
  }

  private VolumeGroupSnapshot create(String name, String... sources) {
    return suite
        .rig
        .groups()
        .createVolumeGroupSnapshot(
            CreateVolumeGroupSnapshotRequest.newBuilder()
                .setName(name)
                .addAllSourceVolumeIds(List.of(sources))
                .build())
        .getGroupSnapshot();
  }

  private VolumeGroupSnapshot get(String id) {
    return suite
        .rig
        .groups()
        .getVolumeGroupSnapshot(
            GetVolumeGroupSnapshotRequest.newBuilder().setGroupSnapshotId(id).build())
        .getGroupSnapshot();
  }

  private void delete(String id) {
    var unused =
        suite
            .rig
            .groups()
            .deleteVolumeGroupSnapshot(
                DeleteVolumeGroupSnapshotRequest.newBuilder().setGroupSnapshotId(id).build());
  }
}
