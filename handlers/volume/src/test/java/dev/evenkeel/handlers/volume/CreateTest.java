package dev.evenkeel.handlers.volume;

import static dev.evenkeel.handlers.volume.Desk.INTERRUPTED;
import static dev.evenkeel.handlers.volume.Desk.MIB;
import static dev.evenkeel.handlers.volume.Desk.NEW;
import static dev.evenkeel.handlers.volume.Desk.REPEAT;
import static dev.evenkeel.handlers.volume.Desk.RESULTS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Secret;
import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.txn.RecordPhase;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.NameRecord;
import dev.evenkeel.api.volume.ObjectKey;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRecord;
import dev.evenkeel.api.volume.SizeRange;
import dev.evenkeel.api.volume.Volume;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Creating a volume")
class CreateTest {
  private final Desk desk = new Desk();
  private final CreateVolume create = CreateVolume.of("data", 3 * MIB + 1);

  @Test
  @DisplayName("takes the name with the intent, makes the image, records the real size, answers")
  void isNew() throws Exception {
    PlanTurn turn = desk.plan(create);
    ObjectRecord reserved = (ObjectRecord) intent(turn).get(1).value().orElseThrow();
    assertEquals(ObjectRecord.State.RESERVED, reserved.state());
    assertEquals("data", reserved.name());
    assertEquals(4 * MIB, reserved.size());
    assertEquals("csi-vol-" + reserved.uuid(), reserved.image());
    assertTrue(reserved.id().startsWith("0001-0004-demo-0000000000000000-"));
    assertEquals(PlanTurn.NOW, reserved.created());
    assertEquals(
        List.of(
            "create " + reserved.image() + " " + 4 * MIB + " {}", "metadata " + reserved.image()),
        turn.txn().stepNames());

    PlannedTxn.Written result = turn.txn().written(RecordPhase.SUCCESS, RESULTS).get(0);
    ObjectRecord created = (ObjectRecord) result.value().orElseThrow();
    assertEquals(reserved.created("backend-id", 10 * MIB, reserved.transaction()), created);
    assertEquals(
        new Volume(reserved.id(), "data", 10 * MIB, Optional.empty()), turn.answer(RESULTS));
  }

  private static List<PlannedTxn.Written> intent(PlanTurn turn) throws Exception {
    return turn.txn().written(RecordPhase.INTENT, RESULTS);
  }

  @Test
  @DisplayName("undone, gives name and record back, once; uncertain, says unknown")
  void otherPhases() throws Exception {
    PlanTurn turn = desk.plan(create);
    assertEquals(
        List.of("erase", "erase"),
        turn.txn().written(RecordPhase.UNDONE, RESULTS).stream().map(w -> w.how()).toList());
    desk.write(turn, RecordPhase.INTENT);
    desk.write(turn, RecordPhase.UNCERTAIN);
    assertEquals(ObjectRecord.State.UNKNOWN, desk.record(ObjectKind.VOLUME, "data").state());
    desk.write(turn, RecordPhase.UNDONE);
    assertEquals(Map.of(), desk.store);
  }

  @Test
  @DisplayName("OP-28 interrupted, keeps UUID, id and time, also after an uncertain end")
  void interrupted() throws Exception {
    PlanTurn first = desk.plan(create);
    desk.write(first, RecordPhase.INTENT);
    ObjectRecord reserved = desk.record(ObjectKind.VOLUME, "data");
    PlanTurn second = desk.plan(create, INTERRUPTED);
    assertEquals(first.txn().stepNames(), second.txn().stepNames());
    assertEquals(intent(first), intent(second));
    desk.write(second, RecordPhase.UNCERTAIN);
    PlanTurn third = desk.plan(create, INTERRUPTED);
    desk.write(third, RecordPhase.INTENT);
    desk.write(third, RecordPhase.SUCCESS);
    ObjectRecord created = desk.record(ObjectKind.VOLUME, "data");
    assertEquals(reserved.id(), created.id());
    assertEquals(reserved.created(), created.created());
    assertEquals(ObjectRecord.State.CREATED, created.state());
  }

  @Test
  @DisplayName("OP-20 a name that leads to no record keeps its UUID")
  void halfReserved() throws Exception {
    String uuid = "11111111-2222-4333-8444-555555555555";
    desk.store.put(new NameKey(ObjectKind.VOLUME, "data").path(), new NameRecord(uuid));
    PlanTurn turn = desk.done(create);
    assertEquals(uuid, desk.record(ObjectKind.VOLUME, "data").uuid());
    assertTrue(turn.txn().stepNames().get(0).contains("csi-vol-" + uuid));
  }

  @Test
  @DisplayName("OP-23 a record that names another is inconsistent: refused, nothing touched")
  void inconsistent() throws Exception {
    desk.done(CreateVolume.of("other", MIB));
    String uuid = desk.record(ObjectKind.VOLUME, "other").uuid();
    desk.store.put(new NameKey(ObjectKind.VOLUME, "data").path(), new NameRecord(uuid));
    desk.refuses(ErrorKind.FAILED_PRECONDITION, create, NEW);
  }

  @Test
  @DisplayName("OP-94 a record of a newer version is refused")
  void newerVersion() throws Exception {
    desk.done(create);
    ObjectRecord r = desk.record(ObjectKind.VOLUME, "data");
    desk.replace(
        ObjectKind.VOLUME,
        new ObjectRecord(
            2,
            r.uuid(),
            r.id(),
            r.name(),
            r.state(),
            r.image(),
            r.imageId(),
            r.size(),
            r.source(),
            r.parameters(),
            r.transaction(),
            r.created()));
    desk.refuses(ErrorKind.FAILED_PRECONDITION, create, REPEAT);
  }

  @Test
  @DisplayName("OP-32 repeated, answers the same from the record, and wants nothing")
  void repeated() throws Exception {
    Object answer = desk.done(create).answer(RESULTS);
    PlanTurn repeat = desk.plan(create, REPEAT);
    assertTrue(repeat.txn().isEmpty());
    assertEquals(answer, repeat.answer(RESULTS));
  }

  @Test
  @DisplayName("OP-32 repeated with a size that does not fit the real one, exists already")
  void repeatedWithOtherSizes() throws Exception {
    desk.done(create);
    assertTrue(desk.plan(sized(new SizeRange(MIB, 0)), REPEAT).txn().isEmpty());
    desk.refuses(ErrorKind.ALREADY_EXISTS, sized(new SizeRange(11 * MIB, 0)), REPEAT);
    desk.refuses(ErrorKind.ALREADY_EXISTS, sized(new SizeRange(MIB, 9 * MIB)), REPEAT);
  }

  private static CreateVolume sized(SizeRange size) {
    return new CreateVolume("data", size, Optional.empty(), new TreeMap<>(), Secrets.NONE);
  }

  @Test
  @DisplayName("repeated after its record was lost or became uncertain, is not made up")
  void repeatedWithoutRecord() throws Exception {
    desk.refuses(ErrorKind.FAILED_PRECONDITION, create, REPEAT);
    desk.done(create);
    ObjectRecord record = desk.record(ObjectKind.VOLUME, "data");
    desk.replace(ObjectKind.VOLUME, record.in(ObjectRecord.State.UNKNOWN, "t"));
    desk.refuses(ErrorKind.BUSY, create, REPEAT);
  }

  @Test
  @DisplayName("a complete record is adopted when the journal knows nothing, others are refused")
  void forgottenByTheJournal() throws Exception {
    Object answer = desk.done(create).answer(RESULTS);
    PlanTurn again = desk.plan(create, NEW);
    assertTrue(again.txn().isEmpty());
    assertEquals(answer, again.answer(RESULTS));
    desk.refuses(ErrorKind.ALREADY_EXISTS, create.with("pool", "a"), NEW);
  }

  @Test
  @DisplayName("an incomplete record of another request is refused when the journal knows nothing")
  void othersIncomplete() throws Exception {
    desk.write(desk.plan(create), RecordPhase.INTENT);
    desk.refuses(ErrorKind.ALREADY_EXISTS, create.with("pool", "a"), NEW);
  }

  @Test
  @DisplayName("sizes: default, limit, rounding beyond the limit, beyond the backend")
  void sizes() throws Exception {
    assertTrue(first(sized(SizeRange.ANY)).endsWith(" " + 10 * MIB + " {}"));
    assertTrue(first(sized(new SizeRange(0, 5 * MIB))).endsWith(" " + MIB + " {}"));
    desk.refuses(ErrorKind.OUT_OF_RANGE, sized(new SizeRange(0, MIB - 1)), NEW);
    desk.refuses(ErrorKind.OUT_OF_RANGE, sized(new SizeRange(MIB + 1, MIB + 2)), NEW);
    desk.refuses(ErrorKind.OUT_OF_RANGE, sized(new SizeRange(Long.MAX_VALUE, 0)), NEW);
  }

  private String first(CreateVolume request) throws Exception {
    return desk.plan(request).txn().stepNames().get(0);
  }

  @Test
  @DisplayName("interrupted with a limit, checks the size of what it finds; else it does not")
  void checksSizeWhenInterrupted() throws Exception {
    CreateVolume limited = sized(new SizeRange(MIB, 2 * MIB));
    assertFalse(desk.plan(limited).txn().stepNames().contains("check-size:data"));
    assertTrue(desk.plan(limited, INTERRUPTED).txn().stepNames().contains("check-size:data"));
  }

  @Test
  @DisplayName("wrong parameters are refused before anything is reserved")
  void wrongParameters() {
    desk.refuses(ErrorKind.INVALID, create.with("wrong", "1"), NEW);
  }

  @Test
  @DisplayName("parameters are kept in the record and given to the backend; secrets are nowhere")
  void keepsParametersNotSecrets() throws Exception {
    Secrets secrets = Secrets.of(Map.of("key", Secret.of("S3CR3T")));
    PlanTurn turn = desk.done(create.with("pool", "fast").with(secrets));
    assertEquals(Map.of("pool", "fast"), desk.record(ObjectKind.VOLUME, "data").parameters());
    assertTrue(turn.txn().stepNames().get(0).endsWith("{pool=fast}"));
    assertFalse((desk.store + "" + desk.backend.metadata).contains("S3CR3T"));
  }

  @Test
  @DisplayName("the image says whose it is")
  void writesMetadata() throws Exception {
    desk.done(create);
    String id = desk.record(ObjectKind.VOLUME, "data").id();
    assertEquals(
        List.of(Map.of("evenkeel.name", "data", "evenkeel.id", id)), desk.backend.metadata);
  }

  @Test
  @DisplayName("authors see the reservation")
  void reservationIsSeen() throws Exception {
    PlanTurn turn = desk.plan(create);
    String uuid = turn.txn().reserved(new NameKey(ObjectKind.VOLUME, "data")).orElseThrow().uuid();
    assertTrue(turn.txn().reserved(new ObjectKey(ObjectKind.VOLUME, uuid)).isPresent());
  }
}
