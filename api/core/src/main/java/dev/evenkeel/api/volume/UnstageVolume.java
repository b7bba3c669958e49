package dev.evenkeel.api.volume;

import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.event.Request;

/**
 * Take a volume off a node. Rolled forward.
 *
 * @param volume which one
 * @param node node that it is for
 * @param path absolute path on the node
 */
public record UnstageVolume(ObjectRef volume, String node, String path) implements Request<Done> {
  /** Its kind. */
  public static final EventType<UnstageVolume> TYPE =
      EventType.of("unstage-volume", UnstageVolume.class);

  /** Checks the input. */
  public UnstageVolume {
    VolumeNames.check(TYPE.name(), node);
    VolumeNames.checkPath(TYPE.name(), path);
  }

  @Override
  public EventType<UnstageVolume> type() {
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
                TYPE.name() + ":" + path,
                new LockKey(VolumeLocks.volume(volume.text()), LockMode.UNSTAGE, node),
                LockKey.of(subject, LockMode.EXCLUSIVE)));
  }

  @Override
  public String describe() {
    return "volume " + volume + " on node " + node + " at " + path;
  }
}
