package dev.evenkeel.api.volume;

import java.util.Optional;

/**
 * What is stored of a volume on a node: the stash, with what is needed to take it off again.
 *
 * @param version of the stored form; unknown ones are refused, not guessed
 * @param volumeId which volume
 * @param node which node
 * @param device path of its device
 * @param deviceMountPath where the device is mounted: the staging path
 * @param target where it is published
 * @param state whether it is mounted
 * @param transaction of the operation that wrote it last
 */
public record MountRecord(
    int version,
    String volumeId,
    String node,
    String device,
    String deviceMountPath,
    Optional<String> target,
    DeviceMountState state,
    String transaction) {
  /** The version that is written. */
  public static final int VERSION = 1;

  /** Of the version that is written. */
  public MountRecord(
      String volumeId,
      String node,
      String device,
      String deviceMountPath,
      Optional<String> target,
      DeviceMountState state,
      String transaction) {
    this(VERSION, volumeId, node, device, deviceMountPath, target, state, transaction);
  }
}
