package dev.evenkeel.api.volume;

import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.event.Request;

/**
 * Bring a volume onto a node: map its device, format it when blank, mount it at the staging path.
 *
 * @param volume which one
 * @param node node that it is for
 * @param path absolute path on the node
 * @param mount how it is used
 * @param secrets for the steps
 */
public record StageVolume(
    ObjectRef volume, String node, String path, MountSpec mount, Secrets secrets)
    implements Request<Done> {
  /** Its kind. */
  public static final EventType<StageVolume> TYPE = EventType.of("stage-volume", StageVolume.class);

  /** Checks the input. */
  public StageVolume {
    VolumeNames.check(TYPE.name(), node);
    VolumeNames.checkPath(TYPE.name(), path);
  }

  @Override
  public EventType<StageVolume> type() {
    return TYPE;
  }

  @Override
  public Class<Done> answerType() {
    return Done.class;
  }

  @Override
  public EventSpec spec() {
    String subject = VolumeLocks.onNode(volume.text(), node);
    return EventSpec.revertOnFailure()
        .operation(
            Lane.Operation.changing(
                TYPE.name(),
                subject,
                TYPE.name() + ":" + path + mount.block() + mount.readOnly(),
                new LockKey(VolumeLocks.volume(volume.text()), LockMode.STAGE, node),
                LockKey.of(subject, LockMode.EXCLUSIVE)));
  }

  @Override
  public String describe() {
    return "volume " + volume + " on node " + node + " at " + path;
  }
}
