package dev.evenkeel.txn.operation;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.datastore.BlockingDatastore;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Capability;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Write;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.EventCodec;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.UpdateEvent;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The operation journal in a datastore (joints reference, rule 4; operations reference, 1.6 and 3).
 * A controller makes one over its store; its calls block, and are made inside the actions of {@link
 * OperationCore} alone, on workers. They throw {@link EvenkeelException}.
 *
 * <p>For each subject it keeps an intent while an operation is open ({@link OpenKey}), and what was
 * completed if a repeat must know it ({@link DoneKey}). Every write is guarded by what was read
 * before, so that a late completion of an older attempt changes nothing (3.6), and by the epoch
 * when there is one (JT-14).
 */
public final class Journal {
  /** Longest stored form of an event. */
  private static final int LONGEST_EVENT = 512 * 1024;

  private final BlockingDatastore store;
  private final JournalWriter writer;
  private final EventCodec events;
  private final Supplier<Epoch> epoch;
  private final Clock clock;
  private final FormerActs former;

  /**
   * A journal that does not wait for what an earlier leader has begun.
   *
   * @param store where it is kept, and what loaders read
   * @param events stored form of events
   * @param epoch ours, or {@link Epoch#NONE}; asked on workers
   * @param clock for the times in its records; asked on workers
   */
  public Journal(Datastore store, EventCodec events, Supplier<Epoch> epoch, Clock clock) {
    this(store, events, epoch, clock, FormerActs.none());
  }

  /**
   * A journal.
   *
   * @param store where it is kept, and what loaders read
   * @param events stored form of events
   * @param epoch ours, or {@link Epoch#NONE}; asked on workers
   * @param clock for the times in its records; asked on workers
   * @param former when what an earlier leader has begun is over; asked on workers
   */
  public Journal(
      Datastore store, EventCodec events, Supplier<Epoch> epoch, Clock clock, FormerActs former) {
    this.former = former;
    this.store = store.blocking();
    this.writer =
        store.capabilities().contains(Capability.ATOMIC_BATCH)
            ? new BatchWriter(this.store)
            : new StepwiseWriter(this.store);
    this.events = events;
    this.epoch = epoch;
    this.clock = clock;
  }

  LoadReader reader(String subject) {
    return new LoadReader(store, subject);
  }

  /** What it says of a subject. */
  JournalState read(String subject) {
    Optional<KeyValue<OpenRecord>> open = store.find(new OpenKey(subject), Call.usual());
    Optional<KeyValue<DoneRecord>> done = store.find(new DoneKey(subject), Call.usual());
    Epoch ours = epoch.get();
    return new JournalState(
        open.flatMap(KeyValue::value),
        open.map(KeyValue::revision).orElse(Revision.NONE),
        done.flatMap(KeyValue::value),
        done.map(KeyValue::revision).orElse(Revision.NONE),
        ours,
        open.flatMap(KeyValue::value).flatMap(intent -> unsettled(intent, ours)));
  }

  /** Until when an act of the intent's leader may still take hold, if that was an earlier one. */
  private Optional<Instant> unsettled(OpenRecord intent, Epoch ours) {
    if (ours.equals(Epoch.NONE) || intent.epoch() == 0 || intent.epoch() >= ours.number()) {
      return Optional.empty();
    }
    try {
      return former.until(ours);
    } catch (EvenkeelException known) {
      throw known;
    } catch (Exception odd) {
      if (odd instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw new EvenkeelException(
          ErrorKind.UNAVAILABLE,
          "nobody can tell whether what an earlier leader has begun is over",
          odd);
    }
  }

  /** The event of an intent, without secrets; empty when this build cannot read it. */
  Optional<UpdateEvent> event(OpenRecord intent) {
    try {
      Event event = events.decode(intent.eventType(), intent.eventVersion(), intent.event());
      return event instanceof UpdateEvent update ? Optional.of(update) : Optional.empty();
    } catch (EvenkeelException unreadable) {
      return Optional.empty();
    }
  }

  /** The intent of an operation that is about to run. */
  OpenRecord intent(Operation operation) {
    JournalState seen = operation.loaded().journal();
    Lane.Operation lane = operation.lane();
    String transaction = operation.transaction();
    Instant begun =
        seen.interrupted()
            .filter(open -> open.transaction().equals(transaction))
            .map(OpenRecord::begun)
            .orElseGet(clock::instant);
    return new OpenRecord(
        OpenRecord.VERSION,
        transaction,
        lane.kind(),
        operation.subject(),
        Optional.of(lane.fingerprint()).filter(text -> !text.isEmpty()),
        lane.completion(),
        operation.event().type().name(),
        operation.event().type().version(),
        encoded(operation.event()),
        seen.epoch().number(),
        begun);
  }

  private String encoded(Event event) {
    String text = events.encode(event);
    if (text.length() > LONGEST_EVENT) {
      throw new EvenkeelException(
          ErrorKind.INVALID,
          "the event is too large for the journal: "
              + text.length()
              + " characters, at most "
              + LONGEST_EVENT);
    }
    return text;
  }

  /**
   * Stores an intent with the records of its phase, if the journal is still as it was read. Writes
   * nothing when all of it is there already.
   */
  Begun begin(OpenRecord intent, JournalState seen, Batch records) {
    boolean write = !seen.open().equals(Optional.of(intent));
    Revision revision =
        writer.begin(
            new OpenKey(intent.subject()),
            write ? Optional.of(intent) : Optional.empty(),
            seen,
            records.wants());
    return new Begun(intent, revision, seen.epoch(), superseded(intent, seen));
  }

  /** The same intent under our epoch, to go on with. */
  static OpenRecord continued(OpenRecord open, Epoch under) {
    return new OpenRecord(
        open.version(),
        open.transaction(),
        open.kind(),
        open.subject(),
        open.fingerprint(),
        open.completion(),
        open.eventType(),
        open.eventVersion(),
        open.event(),
        under.number(),
        open.begun());
  }

  /** The open intent as it was read, to go back from. */
  static Begun open(JournalState seen) {
    return new Begun(
        seen.open().orElseThrow(), seen.openRevision(), seen.epoch(), Optional.empty());
  }

  private static Optional<OpenRecord> superseded(OpenRecord intent, JournalState seen) {
    return seen.interrupted().filter(old -> !old.transaction().equals(intent.transaction()));
  }

  /** Success: result records, what is kept, and the end of the intent. */
  void succeed(Begun begun, Batch records) {
    OpenRecord intent = begun.intent();
    DoneKey key = new DoneKey(intent.subject());
    List<Write> own = new ArrayList<>();
    switch (intent.completion()) {
      case KEEP ->
          own.add(
              new Write.Put<>(
                  key,
                  new DoneRecord(
                      DoneRecord.VERSION,
                      intent.transaction(),
                      intent.kind(),
                      intent.subject(),
                      intent.fingerprint(),
                      clock.instant())));
      case ERASE -> own.add(new Write.Remove(key));
      case FORGET -> {}
    }
    own.add(new Write.Remove(begun.key()));
    writer.change(begun, records.wants(), own);
  }

  /**
   * Everything was undone: those records, the last one first, and the end of the intent. An intent
   * that it had superseded is put back, as what that one left behind is still there.
   */
  void undone(Begun begun, Batch records) {
    Write own =
        begun
            .superseded()
            .<Write>map(old -> new Write.Put<>(begun.key(), old))
            .orElseGet(() -> new Write.Remove(begun.key()));
    List<Batch.Want> mirrored = new ArrayList<>(records.wants());
    Collections.reverse(mirrored);
    writer.change(begun, mirrored, List.of(own));
  }

  /** It ended uncertain: those records; the intent stays. */
  void uncertain(Begun begun, Batch records) {
    writer.change(begun, records.wants(), List.of());
  }

  /**
   * An intent that is open.
   *
   * @param intent as stored
   * @param revision that it has
   * @param epoch under which it is written
   * @param superseded another operation's intent that stood in its place
   */
  record Begun(OpenRecord intent, Revision revision, Epoch epoch, Optional<OpenRecord> superseded) {
    OpenKey key() {
      return new OpenKey(intent.subject());
    }

    /** How journal calls are made. */
    static Call call(Epoch epoch) {
      return Call.usual().under(epoch);
    }
  }
}
