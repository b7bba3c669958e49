package dev.evenkeel.api.volume;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.event.Request;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Make a volume, empty or as a copy. A repeat with the same name, source and parameters answers the
 * same volume.
 *
 * @param name unique among volumes
 * @param size how large; compared with the real size as a range in a repeat
 * @param source what it begins as a copy of
 * @param parameters for the backend; part of the request's identity
 * @param secrets for the steps
 */
public record CreateVolume(
    String name,
    SizeRange size,
    Optional<VolumeSource> source,
    SortedMap<String, String> parameters,
    Secrets secrets)
    implements Request<Volume> {
  /** Its kind. */
  public static final EventType<CreateVolume> TYPE =
      EventType.of("create-volume", CreateVolume.class);

  /** Checks name and parameters. */
  public CreateVolume {
    VolumeNames.check("create-volume", name);
    parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
    List<InvalidInputException.Fault> faults = VolumeNames.parameterFaults(parameters);
    if (!faults.isEmpty()) {
      throw new InvalidInputException("create-volume", faults);
    }
  }

  /** An empty volume without parameters and secrets. */
  public static CreateVolume of(String name, long bytes) {
    return new CreateVolume(
        name, SizeRange.atLeast(bytes), Optional.empty(), new TreeMap<>(), Secrets.NONE);
  }

  /** The same as a copy of something. */
  public CreateVolume from(VolumeSource newSource) {
    return new CreateVolume(name, size, Optional.of(newSource), parameters, secrets);
  }

  /** The same with a parameter. */
  public CreateVolume with(String parameter, String value) {
    TreeMap<String, String> copy = new TreeMap<>(parameters);
    copy.put(parameter, value);
    return new CreateVolume(name, size, source, copy, secrets);
  }

  /** The same with secrets. */
  public CreateVolume with(Secrets newSecrets) {
    return new CreateVolume(name, size, source, parameters, newSecrets);
  }

  @Override
  public EventType<CreateVolume> type() {
    return TYPE;
  }

  @Override
  public Class<Volume> answerType() {
    return Volume.class;
  }

  @Override
  public EventSpec spec() {
    List<LockKey> locks = new ArrayList<>();
    locks.add(LockKey.of(VolumeLocks.volume(name), LockMode.CREATE));
    source.ifPresent(s -> locks.add(VolumeLocks.source(s)));
    String fingerprint =
        source.map(s -> s.kind() + ":" + s.ref().by() + ":" + s.ref()).orElse("empty")
            + VolumeNames.parameters(parameters, false);
    return EventSpec.revertOnFailure()
        .operation(
            Lane.Operation.making(
                TYPE.name(), VolumeLocks.volume(name), fingerprint, locks.toArray(LockKey[]::new)));
  }

  @Override
  public String describe() {
    return "volume "
        + name
        + (size.required() > 0 ? ", " + size.required() + " bytes" : "")
        + source.map(s -> ", from " + s).orElse("");
  }
}
