package dev.evenkeel.csi;

import static dev.evenkeel.csi.Suite.UNKNOWN;
import static dev.evenkeel.csi.Suite.invalid;
import static dev.evenkeel.csi.Suite.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.csi.v1.CreateSnapshotRequest;
import dev.evenkeel.csi.v1.ListSnapshotsRequest;
import dev.evenkeel.csi.v1.ListSnapshotsResponse;
import dev.evenkeel.csi.v1.Snapshot;
import io.grpc.Status;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotsTest {
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
  @DisplayName("CSI-37 a snapshot without a name")
  void withoutName() {
    invalid(() -> create("", UNKNOWN));
  }

  @Test
  @DisplayName("CSI-38 a snapshot of nothing")
  void withoutSource() {
    invalid(() -> create("s", ""));
  }

  @Test
  @DisplayName("CSI-39 the same name of another volume")
  void otherSource() {
    var unused = suite.snapshot("s", suite.create("a").getVolumeId());
    String other = suite.create("b").getVolumeId();
    refused(Status.Code.ALREADY_EXISTS, () -> create("s", other));
  }

  @Test
  @DisplayName("CSI-40 CSI-41 CSI-43 a snapshot with a long name, twice, is one")
  void twice() {
    String name = "s".repeat(128);
    String source = suite.create("a").getVolumeId();
    Snapshot first = suite.snapshot(name, source);
    Snapshot second = suite.snapshot(name, source);
    assertEquals(first.getSnapshotId(), second.getSnapshotId());
    assertEquals(first.getCreationTime(), second.getCreationTime());
    assertEquals(1, all().size());
  }

  @Test
  @DisplayName("CSI-42 delete without a snapshot")
  void deleteWithout() {
    invalid(() -> suite.removeSnapshot(""));
  }

  @Test
  @DisplayName("CSI-44 delete of a snapshot that is not there")
  void deleteUnknown() {
    suite.removeSnapshot(UNKNOWN);
  }

  @Test
  @DisplayName("CSI-57 CSI-58 a list has one entry more, then one less")
  void list() {
    assertEquals(0, all().size());
    Snapshot made = suite.snapshot("s", suite.create("a").getVolumeId());
    assertEquals(List.of(made), all());
    suite.removeSnapshot(made.getSnapshotId());
    assertEquals(0, all().size());
  }

  @Test
  @DisplayName("CSI-59 CSI-60 what is not there has an empty list")
  void listUnknown() {
    assertEquals(0, list(ListSnapshotsRequest.newBuilder().setSnapshotId(UNKNOWN)).size());
    assertEquals(0, list(ListSnapshotsRequest.newBuilder().setSourceVolumeId(UNKNOWN)).size());
  }

  @Test
  @DisplayName("CSI-61 a page of two, then the rest")
  void pages() {
    String source = suite.create("a").getVolumeId();
    for (int i = 0; i < 5; i++) {
      var unused = suite.snapshot("s" + i, source);
    }
    ListSnapshotsResponse first = ask(ListSnapshotsRequest.newBuilder().setMaxEntries(2));
    ListSnapshotsResponse rest =
        ask(ListSnapshotsRequest.newBuilder().setStartingToken(first.getNextToken()));
    assertEquals(2, first.getEntriesCount());
    assertEquals(3, rest.getEntriesCount());
    assertTrue(rest.getNextToken().isEmpty());
    Set<String> seen = new TreeSet<>();
    first.getEntriesList().forEach(e -> seen.add(e.getSnapshot().getSnapshotId()));
    rest.getEntriesList().forEach(e -> seen.add(e.getSnapshot().getSnapshotId()));
    assertEquals(5, seen.size());
  }

  @Test
  @DisplayName("CSI-62 CSI-63 one among three, by its id and by its source")
  void filtered() {
    List<Snapshot> three = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      three.add(suite.snapshot("s-" + name, suite.create(name).getVolumeId()));
    }
    Snapshot one = three.get(1);
    assertEquals(
        List.of(one), list(ListSnapshotsRequest.newBuilder().setSnapshotId(one.getSnapshotId())));
    assertEquals(
        List.of(one),
        list(ListSnapshotsRequest.newBuilder().setSourceVolumeId(one.getSourceVolumeId())));
  }

  @Test
  @DisplayName("A nonsense token of snapshots is refused as that of volumes is")
  void badToken() {
    refused(
        Status.Code.ABORTED,
        () -> ask(ListSnapshotsRequest.newBuilder().setStartingToken("invalid-token")));
  }

  @Test
  @DisplayName("A snapshot of a volume that is not there")
  void unknownSource() {
    refused(Status.Code.NOT_FOUND, () -> create("s", UNKNOWN));
  }

  private void create(String name, String source) {
    var unused =
        suite
            .rig
            .controller()
            .createSnapshot(
                CreateSnapshotRequest.newBuilder().setName(name).setSourceVolumeId(source).build());
  }

  private List<Snapshot> all() {
    return list(ListSnapshotsRequest.newBuilder());
  }

  private List<Snapshot> list(ListSnapshotsRequest.Builder request) {
    return ask(request).getEntriesList().stream()
        .map(ListSnapshotsResponse.Entry::getSnapshot)
        .collect(Collectors.toList());
  }

  private ListSnapshotsResponse ask(ListSnapshotsRequest.Builder request) {
    return suite.rig.controller().listSnapshots(request.build());
  }
}
