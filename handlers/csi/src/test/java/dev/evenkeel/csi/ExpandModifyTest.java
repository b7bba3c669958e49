package dev.evenkeel.csi;

import static dev.evenkeel.csi.Suite.S;
import static dev.evenkeel.csi.Suite.UNKNOWN;
import static dev.evenkeel.csi.Suite.atLeast;
import static dev.evenkeel.csi.Suite.exactly;
import static dev.evenkeel.csi.Suite.invalid;
import static dev.evenkeel.csi.Suite.notFound;
import static dev.evenkeel.csi.Suite.volume;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.csi.v1.ControllerExpandVolumeRequest;
import dev.evenkeel.csi.v1.ControllerExpandVolumeResponse;
import dev.evenkeel.csi.v1.ControllerModifyVolumeRequest;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExpandModifyTest {
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
  @DisplayName("CSI-45 expand without a size and without a volume")
  void withoutAll() {
    invalid(() -> expand(ControllerExpandVolumeRequest.getDefaultInstance()));
  }

  @Test
  @DisplayName("CSI-46 expand without a volume")
  void withoutVolume() {
    invalid(() -> expand(Requests.expand("", atLeast(S))));
  }

  @Test
  @DisplayName("CSI-47 expand to a size gives exactly that one, and again")
  void expands() {
    String id = suite.create(volume("a").setCapacityRange(exactly(S)).build()).getVolumeId();
    assertEquals(2 * S, expand(Requests.expand(id, atLeast(2 * S))).getCapacityBytes());
    ControllerExpandVolumeResponse again = expand(Requests.expand(id, atLeast(2 * S)));
    assertEquals(2 * S, again.getCapacityBytes());
    assertTrue(again.getNodeExpansionRequired());
  }

  @Test
  @DisplayName("Expand without a size, and of a volume that is not there")
  void beyondTheSuite() {
    String id = suite.create("a").getVolumeId();
    invalid(() -> expand(ControllerExpandVolumeRequest.newBuilder().setVolumeId(id).build()));
    notFound(() -> expand(Requests.expand(UNKNOWN, atLeast(S))));
  }

  @Test
  @DisplayName("CSI-64 modify without a volume")
  void modifyWithoutVolume() {
    invalid(() -> modify("", "iops", "100"));
  }

  @Test
  @DisplayName("CSI-65 CSI-67 modify with a made-up parameter")
  void modifyMadeUp() {
    String plain = suite.create("a").getVolumeId();
    String with = suite.create(volume("b").putMutableParams("iops", "100").build()).getVolumeId();
    invalid(() -> modify(plain, "made-up", "1"));
    invalid(() -> modify(with, "made-up", "1"));
  }

  @Test
  @DisplayName("CSI-66 modify what is not there")
  void modifyUnknown() {
    notFound(() -> modify(UNKNOWN, "iops", "100"));
  }

  @Test
  @DisplayName("CSI-68 modify to what it is already")
  void modifySame() {
    String id = suite.create(volume("a").putMutableParams("iops", "100").build()).getVolumeId();
    modify(id, "iops", "100");
  }

  @Test
  @DisplayName("CSI-69 modify what was made without")
  void modifies() {
    modify(suite.create("a").getVolumeId(), "iops", "100");
  }

  @ParameterizedTest(name = "{index}")
  @ValueSource(strings = {"0", "-1", "fast", "", "99999999999999999999"})
  @DisplayName("A number of operations a second that is no positive integer")
  void badNumber(String value) {
    String id = suite.create("a").getVolumeId();
    invalid(() -> modify(id, "iops", value));
  }

  @Test
  @DisplayName("What the resizer adds to the parameters does no harm")
  void orchestratorsKeys() {
    String id = suite.create("a").getVolumeId();
    var unused =
        suite
            .rig
            .controller()
            .controllerModifyVolume(
                ControllerModifyVolumeRequest.newBuilder()
                    .setVolumeId(id)
                    .putMutableParameters("iops", "5")
                    .putMutableParameters("csi.storage.k8s.io/pvc/name", "claim")
                    .build());
  }

  private ControllerExpandVolumeResponse expand(ControllerExpandVolumeRequest request) {
    return suite.rig.controller().controllerExpandVolume(request);
  }

  private void modify(String id, String name, String value) {
    var unused = suite.rig.controller().controllerModifyVolume(Requests.modify(id, name, value));
  }
}
