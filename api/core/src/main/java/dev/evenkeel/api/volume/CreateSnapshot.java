package dev.evenkeel.api.volume;

import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.event.Request;

/**
 * Make a snapshot of a volume. A repeat with the same name and source answers the same one.
 *
 * @param name unique among snapshots
 * @param source volume to make it of
 * @param secrets for the steps
 */
public record CreateSnapshot(String name, ObjectRef source, Secrets secrets)
    implements Request<Snapshot> {
  /** Its kind. */
  public static final EventType<CreateSnapshot> TYPE =
      EventType.of("create-snapshot", CreateSnapshot.class);

  /** Checks the input. */
  public CreateSnapshot {
    VolumeNames.check("create-snapshot", name);
  }

  @Override
  public EventType<CreateSnapshot> type() {
    return TYPE;
  }

  @Override
  public Class<Snapshot> answerType() {
    return Snapshot.class;
  }

  @Override
  public EventSpec spec() {
    return EventSpec.revertOnFailure()
        .operation(
            Lane.Operation.making(
                TYPE.name(),
                VolumeLocks.snapshot(name),
                source.by() + ":" + source,
                LockKey.of(VolumeLocks.snapshot(name), LockMode.CREATE),
                LockKey.of(VolumeLocks.volume(source.text()), LockMode.SNAPSHOT_SOURCE)));
  }

  @Override
  public String describe() {
    return "snapshot " + name + " of volume " + source;
  }
}
