package dev.evenkeel.api.volume;

import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.event.Request;

/**
 * Let a volume grow. Never shrinks; a volume that is large enough is left alone.
 *
 * @param volume which one
 * @param size how large
 * @param secrets for the steps
 */
public record ExpandVolume(ObjectRef volume, SizeRange size, Secrets secrets)
    implements Request<Volume> {
  /** Its kind. */
  public static final EventType<ExpandVolume> TYPE =
      EventType.of("expand-volume", ExpandVolume.class);

  @Override
  public EventType<ExpandVolume> type() {
    return TYPE;
  }

  @Override
  public Class<Volume> answerType() {
    return Volume.class;
  }

  @Override
  public EventSpec spec() {
    return EventSpec.revertOnFailure()
        .operation(
            Lane.Operation.changing(
                TYPE.name(),
                VolumeLocks.volume(volume.text()),
                TYPE.name(),
                LockKey.of(VolumeLocks.volume(volume.text()), LockMode.EXPAND)));
  }

  @Override
  public String describe() {
    return "volume " + volume + " to " + size.required() + " bytes";
  }
}
