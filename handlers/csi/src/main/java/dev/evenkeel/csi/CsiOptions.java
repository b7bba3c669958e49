package dev.evenkeel.csi;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.InvalidInputException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a CSI driver says of itself, and which services it has. Immutable.
 *
 * @param name 2 to 63 ASCII letters, digits, dots, dashes and underscores; letters at both ends
 * @param version for people
 * @param controller whether the Controller and GroupController services are served
 * @param node whether the Node service acts; without it, it refuses all but questions about it
 * @param nodeId of this node, at most 128 characters; also what a controller that is a node calls
 *     itself
 * @param maxVolumes most volumes published to one node
 * @param topology where this node's volumes can be reached; empty for everywhere
 */
@Experimental
public record CsiOptions(
    String name,
    String version,
    boolean controller,
    boolean node,
    String nodeId,
    int maxVolumes,
    SortedMap<String, String> topology) {
  /** The name unless said otherwise. */
  public static final String NAME = "hostpath.evenkeel.dev";

  /** Checks all at once, and copies the topology. */
  public CsiOptions {
    List<InvalidInputException.Fault> faults = new ArrayList<>();
    if (!name.matches("[A-Za-z][A-Za-z0-9._-]{0,61}[A-Za-z]")) {
      faults.add(
          new InvalidInputException.Fault(
              "name",
              name,
              "must be 2 to 63 letters, digits, '.', '-', '_', with a letter at both ends"));
    }
    if (!nodeId.matches("[A-Za-z0-9._-]{1,128}")) {
      faults.add(
          new InvalidInputException.Fault(
              "nodeId", nodeId, "must be 1 to 128 letters, digits, '.', '-', '_'"));
    }
    if (maxVolumes < 1) {
      faults.add(
          new InvalidInputException.Fault(
              "maxVolumes", Integer.toString(maxVolumes), "must be 1 or more"));
    }
    if (!controller && !node) {
      faults.add(new InvalidInputException.Fault("mode", "", "must be controller, node or both"));
    }
    if (!faults.isEmpty()) {
      throw new InvalidInputException("csi", faults);
    }
    topology = Collections.unmodifiableSortedMap(new TreeMap<>(topology));
  }

  /** Controller and node in one, with at most 64 volumes, reachable on that node alone. */
  public static CsiOptions all(String nodeId) {
    SortedMap<String, String> topology = new TreeMap<>();
    topology.put("topology." + NAME + "/node", nodeId);
    return new CsiOptions(NAME, "0.1.0", true, true, nodeId, 64, topology);
  }

  /** The same with other services. */
  public CsiOptions serving(boolean controllers, boolean nodes) {
    return new CsiOptions(name, version, controllers, nodes, nodeId, maxVolumes, topology);
  }

  /** The same with another limit. */
  public CsiOptions maxVolumes(int most) {
    return new CsiOptions(name, version, controller, node, nodeId, most, topology);
  }
}
