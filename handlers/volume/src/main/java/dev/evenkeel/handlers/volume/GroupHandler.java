package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.ResyncEvent;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.OperationLoader;
import dev.evenkeel.api.handler.Order;
import dev.evenkeel.api.handler.Reader;
import dev.evenkeel.api.handler.Turn;
import dev.evenkeel.api.volume.CreateGroupSnapshot;
import dev.evenkeel.api.volume.DeleteGroupSnapshot;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.ObjectKey;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.api.volume.VolumeLocks;
import java.util.Optional;

/**
 * Groups of snapshots (operations reference, 1.7): one reservation, one intent and one result for
 * all members, so that there are all of them or none.
 */
final class GroupHandler implements EventHandler, OperationLoader {
  private final VolumeSettings settings;
  private final GroupMaking making;
  private final GroupRemoval removal;

  GroupHandler(VolumeBackend backend, VolumeSettings settings) {
    this.settings = settings;
    making = new GroupMaking(backend, settings);
    removal = new GroupRemoval(backend, settings);
  }

  @Override
  public String name() {
    return "group";
  }

  @Override
  public Order order() {
    return Order.after("reservation", "image", "metadata").before("state");
  }

  @Override
  public boolean handlesEvent(Event event) {
    return event instanceof CreateGroupSnapshot || event instanceof DeleteGroupSnapshot;
  }

  /** Never called, as no resync is handled. */
  @Override
  public void resync(ResyncEvent event, Turn turn) {}

  @Override
  public void load(UpdateEvent event, Reader reader) {
    Records records = new Records(settings, reader::read);
    if (event instanceof CreateGroupSnapshot create) {
      members(records.byName(ObjectKind.GROUP, create.name()), reader);
      for (ObjectRef source : create.sources()) {
        var unused = records.find(ObjectKind.VOLUME, source);
      }
      return;
    }
    ObjectRef ref = ((DeleteGroupSnapshot) event).group();
    Optional<Records.Entry> entry = records.find(ObjectKind.GROUP, ref);
    members(entry, reader);
    entry
        .flatMap(Records.Entry::record)
        .ifPresent(record -> reader.subject(VolumeLocks.group(record.name())));
  }

  private static void members(Optional<Records.Entry> entry, Reader reader) {
    entry
        .flatMap(Records.Entry::record)
        .ifPresent(
            group ->
                group
                    .parameters()
                    .forEach(
                        (source, uuid) -> {
                          var unused = reader.read(new ObjectKey(ObjectKind.SNAPSHOT, uuid));
                          var unusedToo =
                              reader.read(
                                  new NameKey(ObjectKind.SNAPSHOT, Member.name(group, source)));
                        }));
  }

  @Override
  public String update(UpdateEvent event, Turn turn) {
    Records records = new Records(settings, turn::loaded);
    return event instanceof CreateGroupSnapshot create
        ? making.update(create, turn, records)
        : removal.update((DeleteGroupSnapshot) event, turn, records);
  }
}
