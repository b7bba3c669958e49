package dev.evenkeel.api.volume;

import dev.evenkeel.api.Experimental;

/**
 * What is stored of a volume that is reachable from a node. It is written before the first act, and
 * goes when detaching has succeeded and not sooner: an error of detaching never means detached
 * (operations reference, 4.12).
 *
 * @param version of the stored form; unknown ones are refused, not guessed
 * @param volumeId which volume
 * @param node which node
 * @param readOnly whether it must not be written from there
 * @param complete false while attaching has not been seen to succeed
 * @param transaction of the operation that wrote it last
 */
@Experimental("new")
public record AttachmentRecord(
    int version,
    String volumeId,
    String node,
    boolean readOnly,
    boolean complete,
    String transaction) {
  /** The version that is written. */
  public static final int VERSION = 1;

  /** Of the version that is written. */
  public AttachmentRecord(
      String volumeId, String node, boolean readOnly, boolean complete, String transaction) {
    this(VERSION, volumeId, node, readOnly, complete, transaction);
  }
}
