package dev.evenkeel.api.volume;

import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.event.Request;

/**
 * Remove a snapshot. Rolled forward, never back; something absent counts as removed.
 *
 * @param snapshot which one
 * @param secrets for the steps
 */
public record DeleteSnapshot(ObjectRef snapshot, Secrets secrets) implements Request<Done> {
  /** Its kind. */
  public static final EventType<DeleteSnapshot> TYPE =
      EventType.of("delete-snapshot", DeleteSnapshot.class);

  @Override
  public EventType<DeleteSnapshot> type() {
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
                VolumeLocks.snapshot(snapshot.text()),
                LockKey.of(VolumeLocks.snapshot(snapshot.text()), LockMode.DELETE)));
  }

  @Override
  public String describe() {
    return "snapshot " + snapshot;
  }
}
