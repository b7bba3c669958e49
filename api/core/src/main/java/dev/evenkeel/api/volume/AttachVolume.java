package dev.evenkeel.api.volume;

import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.event.Request;

/**
 * Make a volume reachable from a node (controller publish).
 *
 * @param volume which one
 * @param node node that it is for
 * @param readOnly whether it must not be written from there
 * @param secrets for the steps
 */
public record AttachVolume(ObjectRef volume, String node, boolean readOnly, Secrets secrets)
    implements Request<Done> {
  /** Its kind. */
  public static final EventType<AttachVolume> TYPE =
      EventType.of("attach-volume", AttachVolume.class);

  /** Checks the input. */
  public AttachVolume {
    VolumeNames.check(TYPE.name(), node);
  }

  @Override
  public EventType<AttachVolume> type() {
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
                TYPE.name() + readOnly,
                new LockKey(
                    VolumeLocks.volume(volume.text()), LockMode.STAGE, "attachment " + node),
                LockKey.of(subject, LockMode.EXCLUSIVE)));
  }

  @Override
  public String describe() {
    return "volume " + volume + " to node " + node;
  }
}
