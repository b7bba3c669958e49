package dev.evenkeel.api.volume;

import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.event.Request;

/**
 * Show a staged volume at a target path, by a bind mount as a rule.
 *
 * @param volume which one
 * @param node node that it is for
 * @param staging path that it is staged at
 * @param path absolute path on the node
 * @param mount how it is used
 * @param secrets for the steps
 */
public record PublishVolume(
    ObjectRef volume, String node, String staging, String path, MountSpec mount, Secrets secrets)
    implements Request<Done> {
  /** Its kind. */
  public static final EventType<PublishVolume> TYPE =
      EventType.of("publish-volume", PublishVolume.class);

  /** Checks the input. */
  public PublishVolume {
    VolumeNames.check(TYPE.name(), node);
    VolumeNames.checkPath(TYPE.name(), path);
    VolumeNames.checkPath(TYPE.name(), staging);
  }

  @Override
  public EventType<PublishVolume> type() {
    return TYPE;
  }

  @Override
  public Class<Done> answerType() {
    return Done.class;
  }

  @Override
  public EventSpec spec() {
    String subject = VolumeLocks.target(volume.text(), node, path);
    return EventSpec.revertOnFailure()
        .operation(
            Lane.Operation.changing(
                TYPE.name(),
                subject,
                TYPE.name() + mount.block() + mount.readOnly(),
                new LockKey(VolumeLocks.volume(volume.text()), LockMode.STAGE, path),
                LockKey.of(VolumeLocks.onNode(volume.text(), node), LockMode.SHARED),
                LockKey.of(subject, LockMode.EXCLUSIVE)));
  }

  @Override
  public String describe() {
    return "volume " + volume + " on node " + node + " at " + path;
  }
}
