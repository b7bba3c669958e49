package dev.evenkeel.api.volume;

import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.event.Request;

/**
 * Remove a volume. Rolled forward, never back; something absent counts as removed.
 *
 * @param volume which one
 * @param secrets for the steps
 */
public record DeleteVolume(ObjectRef volume, Secrets secrets) implements Request<Done> {
  /** Its kind. */
  public static final EventType<DeleteVolume> TYPE =
      EventType.of("delete-volume", DeleteVolume.class);

  @Override
  public EventType<DeleteVolume> type() {
    return TYPE;
  }

  @Override
  public Class<Done> answerType() {
    return Done.class;
  }

  @Override
  public EventSpec spec() {
    return EventSpec.revertOnFailure()
        .operation(
            Lane.Operation.removing(
                TYPE.name(),
                VolumeLocks.volume(volume.text()),
                LockKey.of(VolumeLocks.volume(volume.text()), LockMode.DELETE)));
  }

  @Override
  public String describe() {
    return "volume " + volume;
  }
}
