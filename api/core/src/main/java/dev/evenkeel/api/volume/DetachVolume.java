package dev.evenkeel.api.volume;

import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.event.Request;

/**
 * Make a volume unreachable from a node; a volume or node that is gone counts as detached.
 *
 * @param volume which one
 * @param node node that it is for
 * @param secrets for the steps
 */
public record DetachVolume(ObjectRef volume, String node, Secrets secrets)
    implements Request<Done> {
  /** Its kind. */
  public static final EventType<DetachVolume> TYPE =
      EventType.of("detach-volume", DetachVolume.class);

  /** Checks the input. */
  public DetachVolume {
    VolumeNames.check(TYPE.name(), node);
  }

  @Override
  public EventType<DetachVolume> type() {
    return TYPE;
  }

  @Override
  public Class<Done> answerType() {
    return Done.class;
  }

  @Override
  public EventSpec spec() {
    String subject = VolumeLocks.attachment(volume.text(), node);
    return EventSpec.revertOnFailure()
        .operation(
            Lane.Operation.changing(
                TYPE.name(),
                subject,
                TYPE.name(),
                new LockKey(
                    VolumeLocks.volume(volume.text()), LockMode.UNSTAGE, "attachment " + node),
                LockKey.of(subject, LockMode.EXCLUSIVE)));
  }

  @Override
  public String describe() {
    return "volume " + volume + " from node " + node;
  }
}
