package dev.evenkeel.txn.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.handler.Found;
import dev.evenkeel.api.txn.StepRecord;
import dev.evenkeel.api.txn.TransactionOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Admission, verdict and end of an operation")
class OperationCoreTest {
  private static final VolumeEvent CREATE = VolumeEvent.create("n", "A");
  private final Rig rig = new Rig(true);

  private Failure refused(VolumeEvent event) {
    Admission admission = rig.core.admit(event, event.lane(), "t", rig.now);
    return assertInstanceOf(Admission.Refused.class, admission).failure();
  }

  private static OperationReport report(TransactionOutcome outcome, StepRecord.Act... acts) {
    Failure failure = Failure.of("volumes", "apply image", ErrorKind.INTERNAL, "broken");
    return new OperationReport(
        outcome,
        List.of(acts).stream()
            .map(act -> new StepRecord("image", "v", act, Optional.of(failure), Duration.ZERO))
            .toList(),
        outcome == TransactionOutcome.APPLIED ? List.of() : List.of(failure));
  }

  private Loaded loaded(Optional<OpenRecord> open, Optional<DoneRecord> done) {
    JournalState state =
        new JournalState(
            open,
            open.isPresent() ? new Revision("1") : Revision.NONE,
            done,
            done.isPresent() ? new Revision("1") : Revision.NONE,
            rig.epoch,
            Optional.empty());
    return new Loaded("volume/n", state, open.flatMap(rig.journal::event), Map.of());
  }

  private static OpenRecord open(int version, VolumeEvent event, long epoch) {
    return new OpenRecord(
        version,
        "t-old",
        event.kind(),
        event.subject(),
        Optional.of(event.fingerprint()),
        event.lane().completion(),
        "volume-event",
        1,
        VolumeEvent.CODEC.encode(event),
        epoch,
        Instant.EPOCH);
  }

  private static DoneRecord done(int version, VolumeEvent event) {
    return new DoneRecord(
        version,
        "t-done",
        event.kind(),
        event.subject(),
        Optional.of(event.fingerprint()),
        Instant.EPOCH);
  }

  private Verdict judge(VolumeEvent event, Optional<OpenRecord> open, Optional<DoneRecord> done) {
    Operation operation = rig.admit(event);
    Verdict verdict = rig.core.judge(operation, loaded(open, done));
    rig.core.abandon(operation);
    return verdict;
  }

  private static ErrorKind refusal(Verdict verdict) {
    return assertInstanceOf(Verdict.Refuse.class, verdict).failure().kind();
  }

  private static Found found(Verdict verdict) {
    return assertInstanceOf(Verdict.Plan.class, verdict).found();
  }

  // ADMIT and END

  @Test
  @DisplayName(
      "OP-01 OP-02 a second one is refused at once, with holder, since and stage; nothing is written")
  void busy() {
    Operation first = rig.admit(CREATE);
    Failure failure = refused(VolumeEvent.expand("n"));
    assertEquals(ErrorKind.BUSY, failure.kind());
    assertTrue(
        failure.message().contains("create of volume/n since 2026-01-01T00:00:00Z"),
        failure.message());
    assertEquals(0, rig.store.writes);
    var unused = rig.core.loading(first, rig.journal, List.of());
    assertTrue(refused(CREATE).message().contains("in load"));
    rig.core.abandon(first);
    assertTrue(rig.core.pending().isEmpty());
    rig.core.abandon(rig.admit(CREATE));
  }

  @Test
  @DisplayName("OP-09 after abandon and after end the locks are free; both may come twice")
  void freed() {
    Operation first = rig.admit(CREATE);
    assertTrue(rig.core.isPending("volume/n"));
    rig.core.abandon(first);
    rig.core.abandon(first);
    Operation second = rig.admit(CREATE);
    rig.core.abandon(first);
    rig.core.end(first, report(TransactionOutcome.APPLIED), rig.now);
    assertTrue(rig.core.isPending("volume/n"));
    rig.core.end(second, report(TransactionOutcome.APPLIED), rig.now);
    assertFalse(rig.core.isPending("volume/n"));
    assertThrows(
        IllegalStateException.class,
        () -> rig.core.judge(second, loaded(Optional.empty(), Optional.empty())));
  }

  @Test
  @DisplayName("JT-4 an unfinished one keeps its locks until it has really ended")
  void unfinished() {
    Operation first = rig.admit(CREATE);
    rig.core.end(first, report(TransactionOutcome.UNFINISHED, StepRecord.Act.UNFINISHED), rig.now);
    assertEquals(ErrorKind.BUSY, refused(CREATE).kind());
    assertEquals(1, rig.core.pending().size());
    rig.core.end(first, report(TransactionOutcome.APPLIED), rig.now);
    assertTrue(rig.core.pending().isEmpty());
  }

  @Test
  @DisplayName("the locks that are held are listed with their holders, until they are given back")
  void heldLocks() {
    Operation create = rig.admit(CREATE);

    assertEquals(
        List.copyOf(create.lane().locks()),
        rig.core.locks().stream().map(held -> held.key()).toList());
    assertEquals(CREATE.lane().subject(), rig.core.locks().get(0).holder().subject());

    rig.core.abandon(create);
    assertEquals(List.of(), rig.core.locks());
  }

  @Test
  @DisplayName("one intent for a subject: a second operation on it waits, whatever the locks say")
  void subject() {
    Lane.Operation one =
        Lane.Operation.changing(
            "stage", "volume/n", "1", new LockKey("volume/n", LockMode.STAGE, "node1"));
    Lane.Operation two =
        Lane.Operation.changing(
            "stage", "volume/n", "2", new LockKey("volume/n", LockMode.STAGE, "node2"));
    assertInstanceOf(Admission.Admitted.class, rig.core.admit(CREATE, one, "t1", rig.now));
    Admission second = rig.core.admit(CREATE, two, "t2", rig.now);
    assertEquals(
        ErrorKind.BUSY, assertInstanceOf(Admission.Refused.class, second).failure().kind());
  }

  @Test
  @DisplayName("a limit on operations at once")
  void tooMany() {
    rig.core = new OperationCore(OperationOptions.usual().atMost(2));
    rig.core.abandon(rig.admit(VolumeEvent.create("a", "")));
    Operation a = rig.admit(VolumeEvent.create("b", ""));
    Operation b = rig.admit(VolumeEvent.create("c", ""));
    assertEquals(ErrorKind.RESOURCE_EXHAUSTED, refused(CREATE).kind());
    assertEquals(
        List.of("volume/b", "volume/c"),
        rig.core.pending().stream().map(p -> p.subject()).toList());
    rig.core.abandon(a);
    rig.core.abandon(b);
  }

  @Test
  @DisplayName("JT-12 back-off counts failures of executed steps only")
  void backOff() {
    rig.core = new OperationCore(OperationOptions.usual());
    rig.core.end(rig.admit(CREATE), report(TransactionOutcome.REJECTED), rig.now);
    rig.core.end(rig.admit(CREATE), report(TransactionOutcome.REVERT_INCOMPLETE), rig.now);
    rig.core.abandon(rig.admit(CREATE));
    rig.core.end(
        rig.admit(CREATE), report(TransactionOutcome.REVERTED, StepRecord.Act.FAILED), rig.now);
    assertEquals(ErrorKind.BUSY, refused(CREATE).kind());
    assertFalse(rig.core.isSafeToRetry("volume/n", "create", rig.now));
    assertTrue(rig.core.isSafeToRetry("volume/n", "delete", rig.now));
    assertTrue(rig.core.isSafeToRetry("volume/other", "create", rig.now));
    rig.core.abandon(rig.admit(VolumeEvent.delete("n")));
    assertTrue(rig.core.isSafeToRetry("volume/n", "create", rig.now));
  }

  // PLAN

  @Test
  @DisplayName("OP-10 an id that leads to a name is locked there, too: one of two is refused")
  void canonical() {
    Operation create = rig.admit(CREATE);
    VolumeEvent byId = VolumeEvent.delete("id-1");
    Operation delete = rig.admit(byId);
    Verdict verdict = rig.core.judge(delete, loaded(Optional.empty(), Optional.empty()));
    assertEquals(ErrorKind.BUSY, refusal(verdict));
    rig.core.abandon(delete);
    rig.core.abandon(create);
    Operation again = rig.admit(byId);
    assertInstanceOf(
        Found.New.class, found(rig.core.judge(again, loaded(Optional.empty(), Optional.empty()))));
    assertEquals("volume/n", again.subject());
    assertEquals(ErrorKind.BUSY, refused(CREATE).kind());
    rig.core.abandon(again);
    assertFalse(rig.core.isPending("volume/n"));
    rig.core.abandon(rig.admit(CREATE));
  }

  @Test
  @DisplayName("OP-10 what was read before another one gave the lock back is stale: refused")
  void stale() {
    Operation create = rig.admit(CREATE);
    Operation delete = rig.admit(VolumeEvent.delete("id-1"));
    var unused = rig.core.loading(delete, rig.journal, List.of());
    rig.core.end(create, report(TransactionOutcome.APPLIED), rig.now);
    Verdict verdict = rig.core.judge(delete, loaded(Optional.empty(), Optional.empty()));
    assertEquals(ErrorKind.BUSY, refusal(verdict));
    rig.core.abandon(delete);
    rig.core.abandon(rig.admit(CREATE));
  }

  @Test
  @DisplayName("JT-2 a handler's further lock is taken or refused; stale ones are refused")
  void further() {
    Operation create = rig.admit(CREATE);
    Operation other = rig.admit(VolumeEvent.create("m", "A"));
    LockKey source = LockKey.of("volume/n", LockMode.CLONE_SOURCE);
    var unused = rig.core.loading(other, rig.journal, List.of());
    assertEquals(ErrorKind.BUSY, rig.core.lock(other, source).orElseThrow().kind());
    rig.core.abandon(create);
    assertEquals(ErrorKind.BUSY, rig.core.lock(other, source).orElseThrow().kind());
    var unusedToo = rig.core.loading(other, rig.journal, List.of());
    assertEquals(Optional.empty(), rig.core.lock(other, source));
    assertEquals(ErrorKind.BUSY, refused(VolumeEvent.expand("n")).kind());
  }

  @Test
  @DisplayName(
      "OP-94 a journal of a newer version is refused and untouched; an older one is resumed")
  void versions() {
    int newer = OpenRecord.VERSION + 1;
    assertEquals(
        ErrorKind.FAILED_PRECONDITION,
        refusal(judge(CREATE, Optional.of(open(newer, CREATE, 0)), Optional.empty())));
    assertEquals(
        ErrorKind.FAILED_PRECONDITION,
        refusal(
            judge(VolumeEvent.delete("n"), Optional.of(open(newer, CREATE, 0)), Optional.empty())));
    assertEquals(
        ErrorKind.FAILED_PRECONDITION,
        refusal(judge(CREATE, Optional.empty(), Optional.of(done(newer, CREATE)))));
    assertInstanceOf(
        Found.Interrupted.class,
        found(judge(CREATE, Optional.of(open(1, CREATE, 0)), Optional.empty())));
    assertEquals(0, rig.store.writes);
  }

  @Test
  @DisplayName("JT-14 an intent of a newer epoch than ours is refused")
  void newerEpoch() {
    rig.epoch = new Epoch(3);
    assertEquals(
        ErrorKind.FAILED_PRECONDITION,
        refusal(judge(CREATE, Optional.of(open(1, CREATE, 4)), Optional.empty())));
    assertInstanceOf(
        Found.Interrupted.class,
        found(judge(CREATE, Optional.of(open(1, CREATE, 2)), Optional.empty())));
  }

  @Test
  @DisplayName("JT-13 nothing, completed, interrupted: what each operation finds")
  void table() {
    VolumeEvent other = VolumeEvent.create("n", "B");
    VolumeEvent delete = VolumeEvent.delete("n");
    VolumeEvent expand = VolumeEvent.expand("n");
    Optional<OpenRecord> none = Optional.empty();
    Optional<DoneRecord> nothing = Optional.empty();
    Optional<DoneRecord> made = Optional.of(done(1, CREATE));
    Optional<OpenRecord> making = Optional.of(open(1, CREATE, 0));
    Optional<OpenRecord> growing = Optional.of(open(1, expand, 0));
    Optional<OpenRecord> removing = Optional.of(open(1, delete, 0));

    assertInstanceOf(Found.New.class, found(judge(CREATE, none, nothing)));
    assertEquals(new Found.Repeat("t-done", Instant.EPOCH), found(judge(CREATE, none, made)));
    assertInstanceOf(Found.Repeat.class, found(judge(CREATE, growing, made)));
    assertEquals(ErrorKind.ALREADY_EXISTS, refusal(judge(other, none, made)));
    assertInstanceOf(Found.New.class, found(judge(delete, none, made)));
    assertInstanceOf(Found.New.class, found(judge(expand, none, made)));
    assertInstanceOf(Found.Interrupted.class, found(judge(CREATE, making, nothing)));
    assertInstanceOf(Found.Interrupted.class, found(judge(expand, growing, made)));
    assertInstanceOf(Found.New.class, found(judge(delete, making, nothing)));
    assertInstanceOf(Found.New.class, found(judge(CREATE, growing, nothing)));
    assertEquals(
        new Verdict.RecoverFirst(CREATE, making.get().intent(), false),
        judge(other, making, nothing));
    assertEquals(
        new Verdict.RecoverFirst(CREATE, making.get().intent(), false),
        judge(expand, making, nothing));
    assertEquals(
        new Verdict.RecoverFirst(delete, removing.get().intent(), true),
        judge(CREATE, removing, made));
    assertEquals(
        new Verdict.RecoverFirst(delete, removing.get().intent(), true),
        judge(expand, removing, made));
  }

  @Test
  @DisplayName("JT-13 an interrupted one keeps its transaction's id")
  void keepsId() {
    Operation operation = rig.admit(CREATE);
    var unused =
        rig.core.judge(operation, loaded(Optional.of(open(1, CREATE, 0)), Optional.empty()));
    assertEquals("t-old", operation.transaction());
  }

  @Test
  @DisplayName("an interrupted one whose event cannot be read back is refused, untouched")
  void unreadable() {
    Operation operation = rig.admit(VolumeEvent.expand("n"));
    Loaded unreadable =
        new Loaded(
            "volume/n",
            loaded(Optional.of(open(1, CREATE, 0)), Optional.empty()).journal(),
            Optional.empty(),
            Map.of());
    assertEquals(ErrorKind.FAILED_PRECONDITION, refusal(rig.core.judge(operation, unreadable)));
  }

  @Test
  @DisplayName(
      "what a loader has read is remembered, absent ones too; what nobody read is an error")
  void loadedValues() {
    rig.run(CREATE);
    Operation operation = rig.admit(CREATE);
    Loaded loaded =
        rig.load(
            rig.core.loading(
                operation,
                rig.journal,
                List.of(
                    (event, reader) -> {
                      assertTrue(reader.read(Rig.name("n")).isPresent());
                      assertTrue(reader.read(Rig.name("absent")).isEmpty());
                      assertEquals(
                          List.of("/cells/object-ut1"),
                          reader.list(Cell.At.TYPE, "/cells/obj").stream()
                              .map(pair -> pair.key().path())
                              .toList());
                      reader.subject("volume/m");
                      reader.subject("volume/m");
                      assertThrows(
                          IllegalStateException.class, () -> reader.subject("volume/other"));
                    })));
    assertEquals("volume/m", loaded.subject());
    assertEquals(Optional.of(new Cell("ut1")), loaded.get(Rig.name("n")));
    assertEquals(Optional.empty(), loaded.get(Rig.name("absent")));
    assertTrue(loaded.get(Rig.object("ut1")).isPresent());
    assertFalse(loaded.has(Rig.name("unread")));
    assertThrows(IllegalStateException.class, () -> loaded.get(Rig.name("unread")));
  }
}
