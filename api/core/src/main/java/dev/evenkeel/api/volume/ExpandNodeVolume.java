package dev.evenkeel.api.volume;

import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.event.Request;

/**
 * Let the file system of a staged volume grow to the size of its device.
 *
 * @param volume which one
 * @param node node that it is for
 * @param path absolute path on the node
 * @param size how large
 * @param secrets for the steps
 */
public record ExpandNodeVolume(
    ObjectRef volume, String node, String path, SizeRange size, Secrets secrets)
    implements Request<Volume> {
  /** Its kind. */
  public static final EventType<ExpandNodeVolume> TYPE =
      EventType.of("expand-node-volume", ExpandNodeVolume.class);

  /** Checks the input. */
  public ExpandNodeVolume {
    VolumeNames.check(TYPE.name(), node);
    VolumeNames.checkPath(TYPE.name(), path);
  }

  @Override
  public EventType<ExpandNodeVolume> type() {
    return TYPE;
  }

  @Override
  public Class<Volume> answerType() {
    return Volume.class;
  }

  @Override
  public EventSpec spec() {
    String subject = VolumeLocks.onNode(volume.text(), node);
    return EventSpec.revertOnFailure()
        .operation(
            Lane.Operation.changing(
                TYPE.name(),
                subject,
                TYPE.name(),
                new LockKey(VolumeLocks.volume(volume.text()), LockMode.EXPAND, node),
                LockKey.of(subject, LockMode.EXCLUSIVE)));
  }

  @Override
  public String describe() {
    return "volume " + volume + " on node " + node;
  }
}
