package dev.evenkeel.api.volume;

import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.event.Request;

/**
 * Remove a group of snapshots with its members. Rolled forward, never back; something absent counts
 * as removed.
 *
 * @param group which one
 * @param secrets for the steps
 */
public record DeleteGroupSnapshot(ObjectRef group, Secrets secrets) implements Request<Done> {
  /** Its kind. */
  public static final EventType<DeleteGroupSnapshot> TYPE =
      EventType.of("delete-group-snapshot", DeleteGroupSnapshot.class);

  @Override
  public EventType<DeleteGroupSnapshot> type() {
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
                TYPE.name(), "group/" + group, LockKey.of("group/" + group, LockMode.DELETE)));
  }

  @Override
  public String describe() {
    return "group " + group;
  }
}
