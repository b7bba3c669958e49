package dev.evenkeel.api.volume;

import java.util.List;

/**
 * How a volume is used on a node.
 *
 * @param block as a raw device instead of a file system
 * @param fileSystem type; empty for the driver's default
 * @param flags mount flags; may be sensitive, so they are never logged
 * @param access who may use it
 * @param readOnly whether it must not be written
 */
public record MountSpec(
    boolean block, String fileSystem, List<String> flags, AccessMode access, boolean readOnly) {
  /** Copies the flags. */
  public MountSpec {
    flags = List.copyOf(flags);
  }

  /** A file system for one writer, without flags. */
  public static final MountSpec PLAIN =
      new MountSpec(false, "", List.of(), AccessMode.SINGLE_NODE_WRITER, false);

  /** Who may use it. */
  public enum AccessMode {
    /** One node, reading and writing. */
    SINGLE_NODE_WRITER,
    /** One node, reading. */
    SINGLE_NODE_READER,
    /** Many nodes, reading. */
    MULTI_NODE_READER,
    /** Many nodes, one of them writing. */
    MULTI_NODE_SINGLE_WRITER,
    /** Many nodes, all writing. */
    MULTI_NODE_MULTI_WRITER,
    /** One node, one workload writing. */
    SINGLE_NODE_SINGLE_WRITER,
    /** One node, several workloads writing. */
    SINGLE_NODE_MULTI_WRITER
  }

  @Override
  public String toString() {
    return (block ? "block" : "mount") + " " + access + (readOnly ? " read-only" : "");
  }
}
