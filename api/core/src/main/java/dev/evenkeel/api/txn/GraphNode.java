package dev.evenkeel.api.txn;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.Failure;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One value of a graph, as one transaction left it. Immutable; values by reference.
 *
 * @param key its path
 * @param base path of the base value that it derives from; absent for a base value
 * @param descriptor name of the descriptor; absent for properties and for what nobody implements
 * @param owner handler that wanted it, or the part of the framework
 * @param origin who is responsible for it
 * @param state computed state
 * @param available whether others may rely on it
 * @param last what was last asked for
 * @param failure of the last operation, if it failed
 * @param details unmet dependencies of a pending value, wrong fields of an invalid one
 * @param desired what is wanted, if anything is
 * @param applied what is believed to be there, if anything is
 * @param metadata whether there are metadata
 * @param targets what it needs
 * @param transaction number of the one that last changed it
 * @param time when that one began
 */
@Experimental("new")
public record GraphNode(
    String key,
    Optional<String> base,
    Optional<String> descriptor,
    String owner,
    Origin origin,
    ValueState state,
    boolean available,
    ValueOperation last,
    Optional<Failure> failure,
    List<String> details,
    Optional<Object> desired,
    Optional<Object> applied,
    boolean metadata,
    List<Target> targets,
    long transaction,
    Instant time) {
  /** Copies the lists. */
  public GraphNode {
    details = List.copyOf(details);
    targets = List.copyOf(targets);
  }

  /** Whether two are the same but for when they were looked at. */
  public boolean sameAs(GraphNode other) {
    return equals(
        new GraphNode(
            other.key,
            other.base,
            other.descriptor,
            other.owner,
            other.origin,
            other.state,
            other.available,
            other.last,
            other.failure,
            other.details,
            other.desired,
            other.applied,
            other.metadata,
            other.targets,
            transaction,
            time));
  }

  /**
   * One dependency.
   *
   * @param label its name
   * @param keys paths of the values that would meet it, available or not; ordered. Of a dependency
   *     on one key it is that key, whether it exists or not
   * @param met whether one of them is available
   */
  public record Target(String label, List<String> keys, boolean met) {
    /** Copies the list. */
    public Target {
      keys = List.copyOf(keys);
    }
  }
}
