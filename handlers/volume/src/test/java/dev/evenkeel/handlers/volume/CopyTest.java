package dev.evenkeel.handlers.volume;

import static dev.evenkeel.handlers.volume.Desk.INTERRUPTED;
import static dev.evenkeel.handlers.volume.Desk.MIB;
import static dev.evenkeel.handlers.volume.Desk.NEW;
import static dev.evenkeel.handlers.volume.Desk.REPEAT;
import static dev.evenkeel.handlers.volume.Desk.RESULTS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.txn.RecordPhase;
import dev.evenkeel.api.volume.CreateSnapshot;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.api.volume.ExpandVolume;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRecord;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.SizeRange;
import dev.evenkeel.api.volume.Snapshot;
import dev.evenkeel.api.volume.Volume;
import dev.evenkeel.api.volume.VolumeSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Snapshots, restores and clones")
class CopyTest {
  private static final ObjectRef SOURCE = ObjectRef.named("source");

  private final Desk desk = new Desk();
  private final CreateSnapshot cut = new CreateSnapshot("cut", SOURCE, Secrets.NONE);
  private ObjectRecord source;

  @SuppressWarnings("NullAway.Init") // the source is made before each test
  CopyTest() {}

  @BeforeEach
  void makeSource() throws Exception {
    desk.done(CreateVolume.of("source", 10 * MIB).with("pool", "fast"));
    source = desk.record(ObjectKind.VOLUME, "source");
  }

  private static CreateVolume copy(VolumeSource.Kind kind, ObjectRef ref, long bytes) {
    return CreateVolume.of("copy", bytes).from(new VolumeSource(kind, ref));
  }

  private CreateVolume clone(long bytes) {
    return copy(VolumeSource.Kind.VOLUME, SOURCE, bytes);
  }

  @Test
  @DisplayName("a snapshot has its source's size and parameters, and the time of its reservation")
  void snapshots() throws Exception {
    PlanTurn turn = desk.done(cut);
    ObjectRecord record = desk.record(ObjectKind.SNAPSHOT, "cut");
    assertEquals(
        List.of(
            "snapshot " + source.image() + " to csi-snap-" + record.uuid() + " " + 10 * MIB,
            "metadata " + record.image()),
        turn.txn().stepNames());
    assertEquals(Optional.of("VOLUME:" + source.id()), record.source());
    assertEquals(source.parameters(), record.parameters());
    assertEquals(
        new Snapshot(record.id(), "cut", source.id(), 10 * MIB, PlanTurn.NOW, true),
        turn.answer(RESULTS));
  }

  @Test
  @DisplayName("OP-65 a repeat answers the same, also when the source is gone")
  void snapshotRepeated() throws Exception {
    Object answer = desk.done(cut).answer(RESULTS);
    assertEquals(answer, desk.plan(cut, REPEAT).answer(RESULTS));
    desk.done(new DeleteVolume(SOURCE, Secrets.NONE));
    PlanTurn repeat = desk.plan(cut, REPEAT);
    assertEquals(answer, repeat.answer(RESULTS));
    assertTrue(repeat.txn().isEmpty());
  }

  @Test
  @DisplayName("OP-65 another source exists already, also when it is a new volume of the same name")
  void snapshotOfAnother() throws Exception {
    desk.done(cut);
    desk.done(CreateVolume.of("other", MIB));
    CreateSnapshot ofOther = new CreateSnapshot("cut", ObjectRef.named("other"), Secrets.NONE);
    desk.refuses(ErrorKind.ALREADY_EXISTS, ofOther, NEW);
    ObjectRecord impostor =
        new ObjectRecord(
            1,
            source.uuid(),
            "another-id",
            source.name(),
            source.state(),
            source.image(),
            source.imageId(),
            source.size(),
            source.source(),
            source.parameters(),
            source.transaction(),
            source.created());
    desk.replace(ObjectKind.VOLUME, impostor);
    desk.refuses(ErrorKind.ALREADY_EXISTS, cut, REPEAT);
  }

  @Test
  @DisplayName("a restore is made of the snapshot's image; its record and answer say of what")
  void restores() throws Exception {
    desk.done(cut);
    ObjectRecord snapshot = desk.record(ObjectKind.SNAPSHOT, "cut");
    CreateVolume restore = copy(VolumeSource.Kind.SNAPSHOT, ObjectRef.id(snapshot.id()), 12 * MIB);
    PlanTurn turn = desk.done(restore);
    ObjectRecord copy = desk.record(ObjectKind.VOLUME, "copy");
    assertEquals(
        "restore " + snapshot.image() + " to " + copy.image() + " " + 12 * MIB,
        turn.txn().stepNames().get(0));
    Volume answer = (Volume) turn.answer(RESULTS);
    assertEquals(
        Optional.of(new VolumeSource(VolumeSource.Kind.SNAPSHOT, ObjectRef.id(snapshot.id()))),
        answer.source());
    assertEquals(
        List.of(LockKey.of("snapshot/cut", LockMode.RESTORE_SOURCE)),
        turn.locks,
        "came by id: locks the name, too");
  }

  @Test
  @DisplayName("a clone by id locks the source's name as a clone, a snapshot by id as a snapshot")
  void locksTheName() throws Exception {
    ObjectRef id = ObjectRef.id(source.id());
    assertEquals(
        List.of(LockKey.of("volume/source", LockMode.CLONE_SOURCE)),
        desk.plan(copy(VolumeSource.Kind.VOLUME, id, 0)).locks);
    assertEquals(
        List.of(LockKey.of("volume/source", LockMode.SNAPSHOT_SOURCE)),
        desk.plan(new CreateSnapshot("cut", id, Secrets.NONE)).locks);
    assertEquals(List.of(), desk.plan(clone(0)).locks, "by name it is locked already");
  }

  @Test
  @DisplayName("OP-50 without a size it has its source's; a smaller one is invalid")
  void sizes() throws Exception {
    assertTrue(desk.plan(clone(0)).txn().stepNames().get(0).endsWith(" " + 10 * MIB));
    assertTrue(desk.plan(clone(11 * MIB)).txn().stepNames().get(0).endsWith(" " + 11 * MIB));
    desk.refuses(ErrorKind.INVALID, clone(10 * MIB - 1), NEW);
    CreateVolume limited =
        new CreateVolume(
            "copy", new SizeRange(0, 9 * MIB), clone(0).source(), new TreeMap<>(), Secrets.NONE);
    desk.refuses(ErrorKind.OUT_OF_RANGE, limited, NEW);
  }

  @Test
  @DisplayName("OP-48 an absent source is not found; one that is half made is busy, not absent")
  void absentSources() throws Exception {
    ObjectRef absent = ObjectRef.named("absent");
    desk.refuses(ErrorKind.NOT_FOUND, copy(VolumeSource.Kind.VOLUME, absent, 0), NEW);
    desk.refuses(ErrorKind.NOT_FOUND, copy(VolumeSource.Kind.SNAPSHOT, absent, 0), NEW);
    desk.refuses(ErrorKind.NOT_FOUND, new CreateSnapshot("cut", absent, Secrets.NONE), NEW);
    desk.refuses(
        ErrorKind.NOT_FOUND, copy(VolumeSource.Kind.VOLUME, ObjectRef.id("not-ours"), 0), NEW);
    desk.replace(ObjectKind.VOLUME, source.in(ObjectRecord.State.UNKNOWN, "t"));
    desk.refuses(ErrorKind.BUSY, clone(0), NEW);
    desk.refuses(ErrorKind.BUSY, cut, NEW);
  }

  @Test
  @DisplayName("interrupted, it goes on with the source and the size that it began with")
  void interrupted() throws Exception {
    PlanTurn first = desk.plan(clone(0));
    desk.write(first, RecordPhase.INTENT);
    assertEquals(first.txn().stepNames(), desk.plan(clone(0), INTERRUPTED).txn().stepNames());
    desk.done(new DeleteVolume(SOURCE, Secrets.NONE));
    desk.done(CreateVolume.of("source", 500 * MIB));
    assertEquals(first.txn().stepNames(), desk.plan(clone(0), INTERRUPTED).txn().stepNames());
  }

  @Test
  @DisplayName("an interrupted copy can be planned with what another request on its name has read")
  void recovery() throws Exception {
    PlanTurn first = desk.plan(clone(0));
    desk.write(first, RecordPhase.INTENT);
    PlanTurn turn = desk.turn(INTERRUPTED);
    ReservationHandler handler = new ReservationHandler(desk.backend, desk.settings);
    handler.load(
        new ExpandVolume(ObjectRef.named("copy"), SizeRange.atLeast(1), Secrets.NONE), turn);
    assertTrue(handler.update(clone(0), turn).startsWith("makes copy"));
  }

  @Test
  @DisplayName("an interrupted snapshot keeps its time")
  void interruptedSnapshot() throws Exception {
    PlanTurn first = desk.plan(cut);
    desk.write(first, RecordPhase.INTENT);
    PlanTurn second = desk.plan(cut, INTERRUPTED);
    assertEquals(first.txn().stepNames(), second.txn().stepNames());
    assertEquals(first.answer(RESULTS), second.answer(RESULTS));
  }

  @Test
  @DisplayName("a backend that cannot is unimplemented, and nothing is reserved")
  void unable() {
    desk.backend.able = false;
    desk.refuses(ErrorKind.UNIMPLEMENTED, cut, NEW);
    desk.refuses(ErrorKind.UNIMPLEMENTED, clone(0), NEW);
  }
}
