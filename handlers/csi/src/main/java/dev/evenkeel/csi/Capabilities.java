package dev.evenkeel.csi;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.csi.v1.VolumeCapability;
import java.util.ArrayList;
import java.util.List;

/** Which ways of using a volume there are: from one node, since that is where its bytes are. */
final class Capabilities {
  private Capabilities() {}

  /** What cannot be done; empty when all can. */
  static List<String> faults(List<VolumeCapability> wanted) {
    List<String> faults = new ArrayList<>();
    for (VolumeCapability one : wanted) {
      String mode = one.getAccessMode().getMode().name();
      if (!mode.startsWith("SINGLE_NODE_")) {
        faults.add("access mode " + mode + " needs several nodes");
      }
    }
    return faults;
  }

  static void check(List<VolumeCapability> wanted) {
    List<String> faults = faults(wanted);
    if (!faults.isEmpty()) {
      throw InvalidInputException.of(
          "volume", "volume_capabilities", "", String.join("; ", faults));
    }
  }
}
