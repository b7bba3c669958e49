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
import java.util.List;

/**
 * Snapshot several volumes at one moment. Takes all members' locks or none (JT-19).
 *
 * @param name unique among groups
 * @param sources the volumes, at least one
 * @param secrets for the steps
 */
public record CreateGroupSnapshot(String name, List<ObjectRef> sources, Secrets secrets)
    implements Request<GroupSnapshot> {
  /** Its kind. */
  public static final EventType<CreateGroupSnapshot> TYPE =
      EventType.of("create-group-snapshot", CreateGroupSnapshot.class);

  /** Checks the name and that there are sources. */
  public CreateGroupSnapshot {
    VolumeNames.check("create-group-snapshot", name);
    sources = List.copyOf(sources);
    if (sources.isEmpty()) {
      throw InvalidInputException.of(
          "create-group-snapshot", "sources", "", "must name at least one volume");
    }
  }

  @Override
  public EventType<CreateGroupSnapshot> type() {
    return TYPE;
  }

  @Override
  public Class<GroupSnapshot> answerType() {
    return GroupSnapshot.class;
  }

  @Override
  public EventSpec spec() {
    List<LockKey> locks = new ArrayList<>();
    locks.add(LockKey.of("group/" + name, LockMode.CREATE));
    for (ObjectRef source : sources) {
      locks.add(LockKey.of(VolumeLocks.volume(source.text()), LockMode.SNAPSHOT_SOURCE));
    }
    return EventSpec.revertOnFailure()
        .operation(
            Lane.Operation.making(
                TYPE.name(), "group/" + name, sources.toString(), locks.toArray(LockKey[]::new)));
  }

  @Override
  public String describe() {
    return "group " + name + " of volumes " + sources;
  }
}
