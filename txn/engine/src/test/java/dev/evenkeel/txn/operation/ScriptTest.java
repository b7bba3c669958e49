package dev.evenkeel.txn.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Guard;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.handler.Found;
import dev.evenkeel.api.txn.Probe;
import dev.evenkeel.api.txn.RecordPhase;
import dev.evenkeel.api.txn.RecordWriter;
import dev.evenkeel.api.txn.Steps;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.Txn;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.ActionOutcome;
import dev.evenkeel.txn.Cursor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The script of an operation")
class ScriptTest {
  private static final VolumeEvent CREATE = VolumeEvent.create("n", "A");
  private static final String OPEN = "/evenkeel/journal/open/volume%2Fn";
  private static final String DONE = "/evenkeel/journal/done/volume%2Fn";
  private final Rig rig = new Rig(true);

  private boolean isOpen() {
    return rig.store.data.containsKey(OPEN);
  }

  @Test
  @DisplayName(
      "3.4 writes the intent first, probes before it applies, writes the result last: two durable writes")
  void order() {
    Rig.Ended ended = rig.run(CREATE);
    assertEquals(TransactionOutcome.APPLIED, ended.outcome());
    assertEquals(
        List.of(
            "JOURNAL volume/n",
            "PROBE image",
            "APPLY image",
            "PROBE small",
            "APPLY small",
            "PROBE meta",
            "APPLY meta",
            "JOURNAL volume/n"),
        rig.actions);
    assertEquals(2, rig.store.writes);
    assertEquals(List.of("image DONE", "small DONE", "meta DONE"), ended.steps());
    assertFalse(isOpen());
    assertTrue(rig.store.data.containsKey(DONE));
  }

  @Test
  @DisplayName("OP-53 an operation that wants nothing writes nothing")
  void nothing() {
    assertEquals(TransactionOutcome.APPLIED, rig.run(VolumeEvent.delete("n")).outcome());
    assertEquals(List.of(), rig.actions);
    assertEquals(0, rig.store.writes);
  }

  @Test
  @DisplayName(
      "a step that fails: everything before it is undone in reverse, records and intent go")
  void failure() {
    rig.backend.refuses = "meta";
    Rig.Ended ended = rig.run(CREATE);
    assertEquals(TransactionOutcome.REVERTED, ended.outcome());
    assertEquals(
        List.of("image DONE", "small DONE", "meta FAILED", "small UNDONE", "image UNDONE"),
        ended.steps());
    assertEquals("IllegalStateException: no meta-image-ut1", ended.failures().get(0).message());
    assertEquals("apply meta", ended.failures().get(0).operation());
    assertEquals("", rig.state());
  }

  @Test
  @DisplayName("OP-30 a step that fails after its effect is undone first")
  void failAfter() {
    rig.faults.arm(4, true, false);
    Rig.Ended ended = rig.run(CREATE);
    assertEquals(TransactionOutcome.REVERTED, ended.outcome());
    assertEquals(
        List.of(
            "image DONE",
            "small DONE",
            "meta FAILED",
            "meta UNDONE",
            "small UNDONE",
            "image UNDONE"),
        ended.steps());
    assertEquals("", rig.state());
  }

  @Test
  @DisplayName(
      "J7 G3 a failed undo stops the undo; the intent stays, the record says unknown; a repeat goes forward")
  void undoFails() {
    rig.backend.refuses = "meta";
    rig.faults.arm(4, false, false);
    Rig.Ended ended = rig.run(CREATE);
    assertEquals(TransactionOutcome.REVERT_INCOMPLETE, ended.outcome());
    assertEquals(
        List.of("image DONE", "small DONE", "meta FAILED", "small UNDO_FAILED"), ended.steps());
    assertEquals(
        List.of("apply meta", "undo small"),
        ended.failures().stream().map(f -> f.operation()).toList());
    assertTrue(isOpen());
    assertEquals(new Cell("unknown"), rig.store.at("/cells/object-ut1"));
    assertTrue(rig.backend.things.contains("image-ut1"));
    rig.backend.refuses = "-";
    Rig.Ended again = rig.run(CREATE);
    assertEquals(TransactionOutcome.APPLIED, again.outcome());
    assertEquals(List.of("image ADOPTED", "small ADOPTED", "meta DONE"), again.steps());
    assertFalse(isOpen());
  }

  @Test
  @DisplayName("JT-3 what a new operation finds is adopted, and never undone")
  void foreign() {
    rig.backend.things.add("image-ut1");
    rig.backend.refuses = "meta";
    Rig.Ended ended = rig.run(CREATE);
    assertEquals(TransactionOutcome.REVERTED, ended.outcome());
    assertEquals(
        List.of("image ADOPTED", "small DONE", "meta FAILED", "small UNDONE"), ended.steps());
    assertEquals("image-ut\n", rig.state());
  }

  @Test
  @DisplayName("JT-3 what an interrupted one finds is its own, and undone; later steps, too")
  void own() {
    rig.faults.arm(5, false, true);
    assertThrows(Faults.Crash.class, () -> rig.run(CREATE));
    rig.restart();
    rig.backend.things.remove("small-ut1");
    rig.backend.refuses = "small";
    Rig.Ended ended = rig.run(CREATE);
    assertEquals(TransactionOutcome.REVERTED, ended.outcome());
    assertEquals(
        List.of("image ADOPTED", "small FAILED", "meta UNDONE", "image UNDONE"), ended.steps());
    assertEquals("", rig.state());
  }

  @Test
  @DisplayName(
      "a step that cannot be undone and was done: nothing is undone, a repeat goes forward")
  void forwardOnly() {
    AtomicInteger broken = new AtomicInteger(1);
    rig.backend.things.add("old");
    Consumer<Txn> wants =
        txn -> {
          var a =
              List.of(
                  txn.step(rig.backend.making("a", "a")),
                  txn.step(rig.backend.removing("b", "old")),
                  txn.step(
                      Steps.step("c", String.class)
                          .apply(
                              context -> {
                                if (broken.getAndDecrement() > 0) {
                                  throw new IllegalStateException("not yet");
                                }
                                return "c";
                              })
                          .forwardOnly()));
          assertEquals(3, a.size());
          txn.records(
              RecordPhase.UNCERTAIN,
              (results, writer) -> writer.put(Rig.object("half"), new Cell("unknown")));
        };
    Rig.Ended ended = rig.run(CREATE, wants);
    assertEquals(TransactionOutcome.REVERT_INCOMPLETE, ended.outcome());
    assertEquals(List.of("a DONE", "b DONE", "c FAILED"), ended.steps());
    assertEquals(
        List.of("apply c", "undo b"), ended.failures().stream().map(f -> f.operation()).toList());
    assertTrue(isOpen());
    assertTrue(rig.state().contains("unknown"), rig.state());
    Rig.Ended again = rig.run(CREATE, wants);
    assertEquals(TransactionOutcome.APPLIED, again.outcome());
    assertEquals(List.of("a ADOPTED", "b ADOPTED", "c DONE"), again.steps());
  }

  @Test
  @DisplayName(
      "a first step that cannot be undone and was not done: nothing has happened, the intent goes")
  void forwardOnlyNotDone() {
    Rig.Ended ended =
        rig.run(
            VolumeEvent.expand("n"),
            txn -> {
              var unused =
                  txn.step(
                      Steps.step("c", String.class)
                          .apply(
                              context -> {
                                throw new IllegalStateException("never");
                              })
                          .forwardOnly());
            });
    assertEquals(TransactionOutcome.REVERTED, ended.outcome());
    assertEquals("", rig.state());
  }

  @Test
  @DisplayName(
      "OP-34 the result's write fails: the operation failed, nothing is undone, a repeat only writes")
  void resultFails() {
    for (boolean after : List.of(false, true)) {
      Rig each = new Rig(true);
      each.faults.arm(5, after, false);
      Rig.Ended ended = each.run(CREATE);
      assertEquals(TransactionOutcome.REVERT_INCOMPLETE, ended.outcome());
      assertEquals(ErrorKind.UNAVAILABLE, ended.kind());
      int acts = each.backend.log.size();
      int writes = each.store.writes;
      assertEquals(TransactionOutcome.APPLIED, each.run(CREATE).outcome());
      assertEquals(acts, each.backend.log.size());
      assertEquals(writes + (after ? 0 : 1), each.store.writes, "after: " + after);
      Rig clean = new Rig(true);
      clean.run(CREATE);
      assertEquals(clean.state(), each.state());
    }
  }

  @Test
  @DisplayName("JT-3 a repeat of a completed one looks, and does and writes nothing")
  void repeat() {
    rig.run(CREATE);
    rig.actions.clear();
    Rig.Ended again = rig.run(CREATE);
    assertEquals(TransactionOutcome.APPLIED, again.outcome());
    assertEquals(List.of("PROBE image"), rig.actions);
    assertEquals(2, rig.store.writes);
    rig.backend.things.remove("image-ut1");
    Rig.Ended gone = rig.run(CREATE);
    assertEquals(TransactionOutcome.REJECTED, gone.outcome());
    assertEquals(ErrorKind.NOT_FOUND, gone.kind());
    assertFalse(rig.backend.things.contains("image-ut1"));
    assertEquals(2, rig.store.writes);
  }

  @Test
  @DisplayName("JT-13 the same name with another fingerprint: already exists, untouched")
  void otherFingerprint() {
    rig.run(CREATE);
    String before = rig.state();
    Rig.Ended ended = rig.run(VolumeEvent.create("n", "B"));
    assertEquals(ErrorKind.ALREADY_EXISTS, ended.kind());
    assertEquals(before, rig.state());
  }

  @Test
  @DisplayName(
      "OP-22 OP-23 a reserved record of somebody else: busy, nothing written, nothing done")
  void taken() {
    for (boolean batches : List.of(true, false)) {
      Rig each = new Rig(batches);
      each.store.create(KeyValue.of(Rig.object("ut1"), new Cell("theirs")), Call.usual());
      String before = each.state();
      Rig.Ended ended = each.run(CREATE);
      assertEquals(TransactionOutcome.REJECTED, ended.outcome());
      assertEquals(ErrorKind.BUSY, ended.kind());
      assertEquals(before, each.state());
      assertEquals(List.of(), each.backend.log);
    }
  }

  @Test
  @DisplayName("OP-35 two controllers create the same name at once: one goes on, the other is busy")
  void twoControllers() {
    for (boolean batches : List.of(true, false)) {
      Rig each = new Rig(batches);
      Rig.Planned one = each.plan(CREATE);
      Cursor<OperationReport> first = each.script(CREATE, one);
      OperationCore other = new OperationCore(OperationOptions.usual());
      each.core = other;
      Rig.Planned two = each.plan(CREATE);
      Cursor<OperationReport> second = each.script(CREATE, two);
      assertEquals(TransactionOutcome.APPLIED, each.drive(first).outcome());
      OperationReport lost = each.drive(second);
      assertEquals(TransactionOutcome.REJECTED, lost.outcome());
      assertEquals(ErrorKind.BUSY, lost.failures().get(0).kind());
      assertEquals(3, each.backend.things.size());
    }
  }

  @Test
  @DisplayName("3.6 a late completion of an older attempt overwrites nothing and undoes nothing")
  void late() {
    for (boolean batches : List.of(true, false)) {
      Rig each = new Rig(batches);
      Cursor<OperationReport> old = each.script(CREATE, each.plan(CREATE));
      ActionOutcome last = until(each, old, Action.Kind.JOURNAL);
      each.restart();
      assertEquals(TransactionOutcome.APPLIED, each.run(CREATE).outcome());
      String before = each.state();
      each.actions.clear();
      Action late = action(old.next(last));
      OperationReport report = end(old.next(each.perform(late, old)));
      assertEquals(TransactionOutcome.REVERT_INCOMPLETE, report.outcome());
      assertEquals(ErrorKind.BUSY, report.failures().get(0).kind());
      assertEquals(before, each.state());
    }
  }

  /** Drives it up to the second action of that kind; the outcome of the one before. */
  private static ActionOutcome until(Rig rig, Cursor<OperationReport> cursor, Action.Kind kind) {
    ActionOutcome outcome = new ActionOutcome.Start();
    for (int i = 0; i < 7; i++) {
      Action action = action(cursor.next(outcome));
      assertTrue(i == 0 || action.kind() != kind, action.toString());
      outcome = rig.perform(action, cursor);
    }
    return outcome;
  }

  @Test
  @DisplayName("a handler whose result record cannot be made: everything is undone")
  void badRecord() {
    Rig.Ended ended =
        rig.run(
            CREATE,
            txn -> {
              var unused = txn.step(rig.backend.making("a", "a"));
              txn.records(
                  RecordPhase.SUCCESS,
                  (results, writer) -> {
                    throw new IllegalStateException("no record");
                  });
            });
    assertEquals(TransactionOutcome.REVERTED, ended.outcome());
    assertEquals("records SUCCESS", ended.failures().get(0).operation());
    assertEquals("h", ended.failures().get(0).owner());
    assertEquals("", rig.state());
  }

  @Test
  @DisplayName("the same after a step that cannot be undone: nothing is undone, the intent stays")
  void badRecordForwardOnly() {
    rig.backend.things.add("old");
    Rig.Ended ended =
        rig.run(
            VolumeEvent.delete("n"),
            txn -> {
              var unused = txn.step(rig.backend.removing("b", "old"));
              txn.records(
                  RecordPhase.SUCCESS,
                  (results, writer) -> {
                    throw new IllegalStateException("no record");
                  });
            });
    assertEquals(TransactionOutcome.REVERT_INCOMPLETE, ended.outcome());
    assertEquals(List.of("b DONE"), ended.steps());
    assertTrue(isOpen());
  }

  @Test
  @DisplayName("records: once for a phase, not the journal's, and only during the call")
  void recordRules() {
    Rig.Ended twice =
        rig.run(
            CREATE,
            txn -> {
              txn.reserve(Rig.name("x"), new Cell("1"));
              txn.records(
                  RecordPhase.INTENT,
                  (results, writer) -> writer.put(Rig.name("x"), new Cell("2")));
            });
    assertEquals(TransactionOutcome.REJECTED, twice.outcome());
    Rig.Ended journal =
        rig.run(
            CREATE,
            txn ->
                txn.records(
                    RecordPhase.INTENT,
                    (results, writer) -> writer.erase(new OpenKey("volume/m"))));
    assertEquals(TransactionOutcome.REJECTED, journal.outcome());
    List<RecordWriter> kept = new ArrayList<>();
    rig.run(CREATE, txn -> txn.records(RecordPhase.INTENT, (results, writer) -> kept.add(writer)));
    assertThrows(IllegalStateException.class, () -> kept.get(0).erase(Rig.name("x")));
  }

  @Test
  @DisplayName(
      "JT-4 a call that does not return: unfinished, the record says unknown; its return goes on")
  void unfinished() {
    Rig.Planned planned = rig.plan(CREATE);
    Cursor<OperationReport> cursor = rig.script(CREATE, planned);
    Cursor.Next<OperationReport> next = cursor.next(new ActionOutcome.Start());
    Action hung = action(next);
    while (hung.kind() != Action.Kind.APPLY) {
      hung = action(cursor.next(rig.perform(hung, cursor)));
    }
    Action note = action(cursor.next(new ActionOutcome.TimedOut(Duration.ofSeconds(9))));
    assertEquals(Action.Kind.JOURNAL, note.kind());
    OperationReport report = end(cursor.next(rig.perform(note, cursor)));
    assertEquals(TransactionOutcome.UNFINISHED, report.outcome());
    assertEquals(ErrorKind.DEADLINE_EXCEEDED, report.failures().get(0).kind());
    assertEquals("apply image", planned.operation().stage().orElseThrow());
    assertEquals(new Cell("unknown"), rig.store.at("/cells/object-ut1"));
    assertTrue(isOpen());
    rig.core.end(planned.operation(), report, rig.now);
    assertTrue(rig.core.isPending("volume/n"));

    next = cursor.next(rig.perform(hung, cursor));
    while (next instanceof Cursor.Next.Act<OperationReport> act) {
      next = cursor.next(rig.perform(act.action(), cursor));
    }
    assertEquals(TransactionOutcome.APPLIED, end(next).outcome());
    rig.core.end(planned.operation(), end(next), rig.now);
    assertFalse(rig.core.isPending("volume/n"));
    assertThrows(IllegalStateException.class, () -> cursor.next(new ActionOutcome.Start()));
  }

  private static Action action(Cursor.Next<OperationReport> next) {
    return ((Cursor.Next.Act<OperationReport>) next).action();
  }

  private static OperationReport end(Cursor.Next<OperationReport> next) {
    return ((Cursor.Next.End<OperationReport>) next).result();
  }

  @Test
  @DisplayName("a part that a failed apply has left is taken back by undoPartial")
  void partial() {
    Rig.Ended ended =
        rig.run(
            CREATE,
            txn -> {
              var unused =
                  txn.step(
                      Steps.step("a", String.class)
                          .probe(
                              context ->
                                  rig.backend.things.contains("half")
                                      ? Probe.partial("half")
                                      : Probe.absent())
                          .apply(
                              context -> {
                                rig.backend.make("half");
                                throw new IllegalStateException("full");
                              })
                          .undoPartial(context -> rig.backend.remove("half"))
                          .undo((context, done) -> {}));
            });
    assertEquals(TransactionOutcome.REVERTED, ended.outcome());
    assertEquals(List.of("a FAILED", "a UNDONE"), ended.steps());
    assertEquals("", rig.state());
  }

  @Test
  @DisplayName("what is partial is finished by apply")
  void partialIsFinished() {
    rig.backend.things.add("half");
    Rig.Ended ended =
        rig.run(
            CREATE,
            txn -> {
              var unused =
                  txn.step(
                      Steps.step("a", String.class)
                          .probe(context -> Probe.partial("half"))
                          .apply(
                              context -> {
                                rig.backend.make("whole");
                                return "whole";
                              })
                          .undo((context, done) -> {}));
            });
    assertEquals(TransactionOutcome.APPLIED, ended.outcome());
    assertTrue(rig.backend.things.contains("whole"));
  }

  @Test
  @DisplayName("a step that answers nonsense has failed")
  void nonsense() {
    @SuppressWarnings({"unchecked", "rawtypes"})
    Class<String> wrong = (Class) Integer.class;
    Rig.Ended ended =
        rig.run(
            CREATE,
            txn -> {
              var unused = txn.step(Steps.step("a", wrong).apply(context -> "text").forwardOnly());
            });
    assertEquals(TransactionOutcome.REVERTED, ended.outcome());
    assertEquals("step a: it did not return a Integer", ended.failures().get(0).message());
  }

  /** A removal that finds its object in use. */
  private static void stillInUse(Txn txn) {
    var unused =
        txn.step(
            Steps.step("no", String.class)
                .apply(
                    context -> {
                      throw new IllegalStateException("in use");
                    })
                .forwardOnly());
  }

  @Test
  @DisplayName("an operation that superseded an interrupted one, and failed, puts its intent back")
  void supersededIsPutBack() {
    for (boolean batches : List.of(true, false)) {
      Rig each = new Rig(batches);
      each.faults.arm(batches ? 2 : 4, true, true);
      assertThrows(Faults.Crash.class, () -> each.run(CREATE));
      each.restart();
      Object intent = each.store.at(OPEN);
      Rig.Ended ended = each.run(VolumeEvent.delete("n"), ScriptTest::stillInUse);
      assertEquals(TransactionOutcome.REVERTED, ended.outcome());
      assertEquals(intent, each.store.at(OPEN));
      Rig.Planned planned = each.plan(CREATE);
      assertInstanceOf(Found.Interrupted.class, planned.found());
    }
  }

  @Test
  @DisplayName(
      "an interrupted removal of what was never completed keeps its intent: the making's is superseded")
  void removalOfTheUnfinishedGoesOn() {
    for (boolean batches : List.of(true, false)) {
      Rig each = new Rig(batches);
      each.faults.arm(batches ? 2 : 4, true, true);
      assertThrows(Faults.Crash.class, () -> each.run(CREATE));
      each.restart();
      each.faults.arm(1, true, true);
      assertThrows(Faults.Crash.class, () -> each.run(VolumeEvent.delete("n")));
      each.restart();
      Object removal = each.store.at(OPEN);
      assertEquals(Lane.Completion.ERASE, ((OpenRecord) removal).completion());
      Rig.Ended ended = each.run(VolumeEvent.delete("n"), ScriptTest::stillInUse);
      assertEquals(TransactionOutcome.REVERT_INCOMPLETE, ended.outcome());
      assertEquals(removal, each.store.at(OPEN));
    }
  }

  @Test
  @DisplayName(
      "JT-14 with an epoch every batch is guarded by it, and the intent carries it; without one none is")
  void fencing() {
    rig.run(VolumeEvent.create("m", "A"));
    assertTrue(
        rig.store.commits.stream().flatMap(List::stream).noneMatch(g -> g instanceof Guard.Leader));
    rig.store.commits.clear();
    rig.epoch = new Epoch(7);
    rig.faults.arm(3, false, true);
    assertThrows(Faults.Crash.class, () -> rig.run(CREATE));
    rig.restart();
    assertEquals(7, ((OpenRecord) rig.store.at(OPEN)).epoch());
    rig.epoch = new Epoch(8);
    assertEquals(TransactionOutcome.APPLIED, rig.run(CREATE).outcome());
    assertEquals(
        List.of(7L, 8L, 8L),
        rig.store.commits.stream()
            .flatMap(List::stream)
            .filter(g -> g instanceof Guard.Leader)
            .map(g -> ((Guard.Leader) g).epoch().number())
            .toList());
  }

  @Test
  @DisplayName("the journal is not available: rejected, and nothing has been done")
  void storeIsGone() {
    for (boolean after : List.of(false, true)) {
      Rig each = new Rig(true);
      each.faults.arm(1, after, false);
      Rig.Ended ended = each.run(CREATE);
      assertEquals(TransactionOutcome.REJECTED, ended.outcome());
      assertEquals(ErrorKind.UNAVAILABLE, ended.kind());
      assertEquals(List.of(), each.backend.log);
      assertEquals(TransactionOutcome.APPLIED, each.run(CREATE).outcome());
    }
  }
}
