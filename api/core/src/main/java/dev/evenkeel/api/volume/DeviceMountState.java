package dev.evenkeel.api.volume;

/**
 * Whether a device is mounted on a node: three-valued, since a call that timed out says neither
 * (operations reference, 3.9).
 */
public enum DeviceMountState {
  /** It is. */
  MOUNTED,
  /** It may be: it must be taken down before it is used again. */
  UNCERTAIN,
  /** It is not. */
  NOT_MOUNTED
}
