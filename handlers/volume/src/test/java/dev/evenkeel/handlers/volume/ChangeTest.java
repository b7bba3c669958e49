package dev.evenkeel.handlers.volume;

import static dev.evenkeel.handlers.volume.Desk.MIB;
import static dev.evenkeel.handlers.volume.Desk.NEW;
import static dev.evenkeel.handlers.volume.Desk.RESULTS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.txn.RecordPhase;
import dev.evenkeel.api.volume.CreateSnapshot;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.DeleteSnapshot;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.ExpandVolume;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.NameRecord;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRecord;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.SizeRange;
import dev.evenkeel.api.volume.Volume;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Deleting and growing")
class ChangeTest {
  private static final ObjectRef DATA = ObjectRef.named("data");

  private final Desk desk = new Desk();

  private static DeleteVolume delete(ObjectRef ref) {
    return new DeleteVolume(ref, Secrets.NONE);
  }

  private static ExpandVolume expand(long bytes) {
    return new ExpandVolume(DATA, SizeRange.atLeast(bytes), Secrets.NONE);
  }

  private ObjectRecord made() throws Exception {
    desk.done(CreateVolume.of("data", 10 * MIB));
    return desk.record(ObjectKind.VOLUME, "data");
  }

  @Test
  @DisplayName("OP-53 what is absent, or can never have been ours, is gone: no act, no record")
  void absent() throws Exception {
    made();
    List<ObjectRef> refs =
        List.of(
            ObjectRef.named("absent"),
            ObjectRef.id("nonsense"),
            ObjectRef.id(VolumeSettings.of("other").id(uuid())),
            ObjectRef.id(VolumeSettings.of("demo").location(7).id(uuid())),
            ObjectRef.id(VolumeSettings.of("demo").id("99999999-0000-4000-8000-000000000000")));
    for (ObjectRef ref : refs) {
      PlanTurn turn = desk.plan(delete(ref));
      assertEquals(new Done(false), turn.answer(RESULTS));
      assertTrue(turn.txn().isEmpty());
      assertNull(turn.subject);
      PlanTurn snapshot = desk.plan(new DeleteSnapshot(ref, Secrets.NONE));
      assertEquals(new Done(false), snapshot.answer(RESULTS));
      assertTrue(snapshot.txn().isEmpty());
    }
  }

  private String uuid() {
    return desk.record(ObjectKind.VOLUME, "data").uuid();
  }

  @Test
  @DisplayName("checks first that nobody uses it, removes the image, then name and record")
  void deletes() throws Exception {
    ObjectRecord record = made();
    PlanTurn turn = desk.done(delete(DATA));
    assertEquals(
        List.of(
            "check-unused:" + record.image(), "trash " + record.image(), "purge " + record.image()),
        turn.txn().stepNames());
    assertEquals(List.of(), turn.txn().written(RecordPhase.INTENT, RESULTS));
    assertEquals(List.of(), turn.txn().written(RecordPhase.UNDONE, RESULTS));
    assertEquals(new Done(true), turn.answer(RESULTS));
    assertEquals(Map.of(), desk.store);
  }

  @Test
  @DisplayName("OP-54 in use: the first act refuses, and can be undone")
  void inUse() throws Exception {
    made();
    PlanTurn turn = desk.plan(delete(DATA));
    assertTrue(turn.txn().steps.get(0).undoable());
    desk.backend.used = true;
    var refused =
        assertThrows(EvenkeelException.class, () -> turn.txn().steps.get(0).apply(new NoContext()));
    assertEquals(ErrorKind.FAILED_PRECONDITION, refused.kind());
  }

  @Test
  @DisplayName("by id, the journal and the lock are those of the name")
  void canonicalSubject() throws Exception {
    ObjectRecord record = made();
    assertEquals("volume/data", desk.plan(delete(ObjectRef.id(record.id()))).subject);
    assertNull(desk.plan(delete(DATA)).subject);
    desk.done(new CreateSnapshot("cut", DATA, Secrets.NONE));
    ObjectRef cut = ObjectRef.id(desk.record(ObjectKind.SNAPSHOT, "cut").id());
    assertEquals("snapshot/cut", desk.plan(new DeleteSnapshot(cut, Secrets.NONE)).subject);
  }

  @Test
  @DisplayName("OP-51, OP-56 what is half reserved or half removed goes, too")
  void halfThere() throws Exception {
    desk.write(desk.plan(CreateVolume.of("data", MIB)), RecordPhase.INTENT);
    desk.done(delete(DATA));
    assertEquals(Map.of(), desk.store);
    String uuid = "11111111-2222-4333-8444-555555555555";
    desk.store.put(new NameKey(ObjectKind.VOLUME, "data").path(), new NameRecord(uuid));
    PlanTurn turn = desk.done(delete(DATA));
    assertTrue(turn.txn().stepNames().contains("purge csi-vol-" + uuid));
    assertEquals(Map.of(), desk.store);
  }

  @Test
  @DisplayName("what goes by id takes no name with it that leads to another by now")
  void nameOfAnother() throws Exception {
    ObjectRecord old = made();
    String name = new NameKey(ObjectKind.VOLUME, "data").path();
    desk.store.remove(name);
    ObjectRecord young = made();
    desk.done(delete(ObjectRef.id(old.id())));
    assertEquals(young, desk.record(ObjectKind.VOLUME, "data"));
    assertEquals(2, desk.store.size());
  }

  @Test
  @DisplayName("OP-69 a snapshot goes by the backend's own acts")
  void deletesSnapshots() throws Exception {
    made();
    desk.done(new CreateSnapshot("cut", DATA, Secrets.NONE));
    String image = desk.record(ObjectKind.SNAPSHOT, "cut").image();
    PlanTurn turn = desk.done(new DeleteSnapshot(ObjectRef.named("cut"), Secrets.NONE));
    assertEquals(List.of("check-unused:" + image, "unsnapshot " + image), turn.txn().stepNames());
    assertEquals(2, desk.store.size(), "the volume's records stay");
  }

  @Test
  @DisplayName(
      "uncertain, a delete says unknown; creates, expands and copies are busy until it ends")
  void uncertainDelete() throws Exception {
    made();
    desk.write(desk.plan(delete(DATA)), RecordPhase.UNCERTAIN);
    assertEquals(ObjectRecord.State.UNKNOWN, desk.record(ObjectKind.VOLUME, "data").state());
    desk.refuses(ErrorKind.BUSY, expand(100 * MIB), NEW);
    desk.done(delete(DATA));
    assertEquals(Map.of(), desk.store);
  }

  @Test
  @DisplayName("OP-71, OP-72 grows to the rounded size; what is large enough stays; never shrinks")
  void expands() throws Exception {
    ObjectRecord before = made();
    PlanTurn keep = desk.plan(expand(10 * MIB));
    assertTrue(keep.txn().isEmpty());
    assertEquals(new Volume(before.id(), "data", 10 * MIB, Optional.empty()), keep.answer(RESULTS));
    PlanTurn grow = desk.plan(expand(10 * MIB + 1));
    assertEquals(List.of("expand " + before.image() + " " + 11 * MIB), grow.txn().stepNames());
    assertEquals(1, grow.txn().written(RecordPhase.SUCCESS, RESULTS).size());
    assertEquals(List.of(), grow.txn().written(RecordPhase.UNCERTAIN, RESULTS));
    desk.write(grow, RecordPhase.SUCCESS);
    ObjectRecord after = desk.record(ObjectKind.VOLUME, "data");
    assertEquals(before.created(), after.created());
    assertEquals(before.id(), after.id());
  }

  @Test
  @DisplayName("an expand of nothing is not found; beyond a limit out of range; else unimplemented")
  void refusesToExpand() throws Exception {
    desk.refuses(ErrorKind.NOT_FOUND, expand(MIB), NEW);
    made();
    SizeRange tight = new SizeRange(10 * MIB + 1, 10 * MIB + 2);
    desk.refuses(ErrorKind.OUT_OF_RANGE, new ExpandVolume(DATA, tight, Secrets.NONE), NEW);
    desk.backend.able = false;
    desk.refuses(ErrorKind.UNIMPLEMENTED, expand(20 * MIB), NEW);
  }
}
