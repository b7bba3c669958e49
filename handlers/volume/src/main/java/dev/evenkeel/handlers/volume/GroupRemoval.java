package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.handler.Turn;
import dev.evenkeel.api.txn.RecordPhase;
import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.txn.Steps;
import dev.evenkeel.api.volume.DeleteGroupSnapshot;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.ObjectKey;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRecord;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.api.volume.VolumeLocks;
import java.util.Optional;

/** Removes a group with its members; rolled forward. */
final class GroupRemoval {
  private final VolumeBackend backend;
  private final VolumeSettings settings;

  GroupRemoval(VolumeBackend backend, VolumeSettings settings) {
    this.backend = backend;
    this.settings = settings;
  }

  String update(DeleteGroupSnapshot delete, Turn turn, Records records) {
    Optional<Records.Entry> entry = records.find(ObjectKind.GROUP, delete.group());
    Optional<ObjectRecord> record = entry.flatMap(Records.Entry::record);
    turn.answer(delete, new Done(entry.isPresent()));
    if (record.isEmpty()) {
      // Only an interrupted write without batches leaves a name alone; then it is the one meant.
      entry
          .filter(e -> delete.group().by() == ObjectRef.By.NAME)
          .ifPresent(e -> turn.txn().erase(new NameKey(ObjectKind.GROUP, delete.group().text())));
      return "there is no such group";
    }
    ObjectRecord group = record.get();
    group.parameters().forEach((source, uuid) -> check(uuid, Member.name(group, source), turn));
    group.parameters().forEach((source, uuid) -> remove(uuid, turn));
    turn.txn()
        .records(
            RecordPhase.SUCCESS,
            (results, writer) -> {
              group
                  .parameters()
                  .forEach(
                      (source, uuid) -> {
                        writer.erase(new ObjectKey(ObjectKind.SNAPSHOT, uuid));
                        writer.erase(new NameKey(ObjectKind.SNAPSHOT, Member.name(group, source)));
                      });
              writer.erase(new ObjectKey(ObjectKind.GROUP, group.uuid()));
              writer.erase(new NameKey(ObjectKind.GROUP, group.name()));
            });
    return "removes " + group.parameters().size() + " snapshots";
  }

  /** First for all of them, so that a refusal leaves everything as it was. */
  private void check(String uuid, String name, Turn turn) {
    turn.lock(LockKey.of(VolumeLocks.snapshot(settings.id(uuid)), LockMode.DELETE));
    turn.lock(LockKey.of(VolumeLocks.snapshot(name), LockMode.DELETE));
    String image = VolumeSettings.image(ObjectKind.SNAPSHOT, uuid);
    Ref<Done> unused =
        turn.txn()
            .step(
                Steps.step("check-unused:" + image, Done.class)
                    .apply(
                        context -> {
                          if (backend.inUse(image)) {
                            throw new EvenkeelException(
                                ErrorKind.FAILED_PRECONDITION,
                                name + " is in use: nothing was removed");
                          }
                          return new Done(false);
                        })
                    .undo((context, done) -> {}));
  }

  private void remove(String uuid, Turn turn) {
    Ref<Done> unused =
        ImageHandler.able(backend, backend.snapshots(), "remove snapshots")
            .deleteSnapshot(VolumeSettings.image(ObjectKind.SNAPSHOT, uuid))
            .addTo(turn.txn());
  }
}
