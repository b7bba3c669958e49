package dev.evenkeel.api.volume;

import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.event.Request;

/**
 * Take a volume away from a target path; an absent path counts as done.
 *
 * @param volume which one
 * @param node node that it is for
 * @param path absolute path on the node
 */
public record UnpublishVolume(ObjectRef volume, String node, String path) implements Request<Done> {
  /** Its kind. */
  public static final EventType<UnpublishVolume> TYPE =
      EventType.of("unpublish-volume", UnpublishVolume.class);

  /** Checks the input. */
  public UnpublishVolume {
    VolumeNames.check(TYPE.name(), node);
    VolumeNames.checkPath(TYPE.name(), path);
  }

  @Override
  public EventType<UnpublishVolume> type() {
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
                TYPE.name(),
                new LockKey(VolumeLocks.volume(volume.text()), LockMode.UNSTAGE, path),
                LockKey.of(VolumeLocks.onNode(volume.text(), node), LockMode.SHARED),
                LockKey.of(subject, LockMode.EXCLUSIVE)));
  }

  @Override
  public String describe() {
    return "volume " + volume + " on node " + node + " at " + path;
  }
}
