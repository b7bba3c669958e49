package dev.evenkeel.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.csi.v1.GetPluginCapabilitiesRequest;
import dev.evenkeel.csi.v1.GetPluginInfoRequest;
import dev.evenkeel.csi.v1.PluginCapability;
import dev.evenkeel.csi.v1.ProbeRequest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdentityTest {
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
  @DisplayName("CSI-54 every plugin capability is one that CSI 1.10 knows, and all are there")
  void pluginCapabilities() {
    List<PluginCapability> all =
        suite
            .rig
            .identity()
            .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
            .getCapabilitiesList();
    for (PluginCapability one : all) {
      assertTrue(
          one.hasService()
              ? one.getService().getTypeValue() >= 1 && one.getService().getTypeValue() <= 3
              : one.getVolumeExpansion().getTypeValue() >= 1
                  && one.getVolumeExpansion().getTypeValue() <= 2,
          () -> "unknown: " + one);
    }
    assertEquals(
        List.of(
            PluginCapability.Service.Type.CONTROLLER_SERVICE,
            PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS,
            PluginCapability.Service.Type.GROUP_CONTROLLER_SERVICE),
        all.stream()
            .filter(PluginCapability::hasService)
            .map(c -> c.getService().getType())
            .sorted()
            .toList());
  }

  @Test
  @DisplayName("CSI-55 the name begins and ends with a letter, and is not too long")
  void pluginInfo() {
    String name =
        suite.rig.identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance()).getName();
    assertTrue(name.matches("[A-Za-z][A-Za-z0-9._-]{0,61}[A-Za-z]"), name);
  }

  @Test
  @DisplayName("CSI-56 a probe is answered without an error, and the driver is ready")
  void probe() {
    assertFalse(
        suite.rig.identity().probe(ProbeRequest.getDefaultInstance()).hasReady()
            && !suite
                .rig
                .identity()
                .probe(ProbeRequest.getDefaultInstance())
                .getReady()
                .getValue());
  }
}
