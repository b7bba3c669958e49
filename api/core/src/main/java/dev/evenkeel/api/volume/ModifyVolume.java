package dev.evenkeel.api.volume;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.event.Request;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Change a volume's mutable parameters.
 *
 * @param volume which one
 * @param parameters the ones to set
 * @param secrets for the steps
 */
public record ModifyVolume(ObjectRef volume, SortedMap<String, String> parameters, Secrets secrets)
    implements Request<Done> {
  /** Its kind. */
  public static final EventType<ModifyVolume> TYPE =
      EventType.of("modify-volume", ModifyVolume.class);

  /** Checks the input. */
  public ModifyVolume {
    List<InvalidInputException.Fault> faults = VolumeNames.parameterFaults(parameters);
    if (parameters.isEmpty() || !faults.isEmpty()) {
      throw parameters.isEmpty()
          ? InvalidInputException.of(TYPE.name(), "parameters", "", "must name at least one")
          : new InvalidInputException(TYPE.name(), faults);
    }
    parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
  }

  @Override
  public EventType<ModifyVolume> type() {
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
            Lane.Operation.changing(
                TYPE.name(),
                VolumeLocks.volume(volume.text()),
                TYPE.name() + parameters,
                LockKey.of(VolumeLocks.volume(volume.text()), LockMode.EXPAND)));
  }

  @Override
  public String describe() {
    return "volume " + volume + ": " + parameters.keySet();
  }
}
