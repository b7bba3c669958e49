package dev.evenkeel.txn.operation;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.event.UpdateEvent;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a worker read for an operation: the journal's state, and all that the loaders read, absent
 * ones included. Immutable; made by {@link OperationCore#loading}'s action, read by the loop.
 */
public final class Loaded {
  private final String subject;
  private final JournalState journal;
  private final Optional<UpdateEvent> interrupted;
  private final Map<String, Optional<?>> byPath;

  Loaded(
      String subject,
      JournalState journal,
      Optional<UpdateEvent> interrupted,
      Map<String, Optional<?>> byPath) {
    this.subject = subject;
    this.journal = journal;
    this.interrupted = interrupted;
    this.byPath = new TreeMap<>(byPath);
  }

  /** The canonical subject: as declared, unless a loader said otherwise. */
  public String subject() {
    return subject;
  }

  /** Whether a loader has read that key. */
  public boolean has(Key<?> key) {
    return byPath.containsKey(key.path());
  }

  /**
   * What a loader read: empty when it was absent.
   *
   * @throws IllegalStateException when nobody read it
   */
  public <V> Optional<V> get(Key<V> key) {
    Optional<?> value = byPath.get(key.path());
    if (value == null) {
      throw new IllegalStateException(
          "no loader has read " + key.path() + ": read it in OperationLoader.load");
    }
    return value.map(key.type().valueType()::cast);
  }

  /** All that the loaders read, by path: for recordings. */
  public SortedMap<String, Optional<?>> values() {
    return new TreeMap<>(byPath);
  }

  /** What the journal said, as a recording keeps it. */
  public Seen seen() {
    return new Seen(
        subject,
        journal.open(),
        journal.openRevision().text(),
        journal.done(),
        journal.doneRevision().text(),
        journal.epoch().number(),
        journal.unsettled());
  }

  /**
   * What was loaded, out of a recording.
   *
   * @param interrupted the event of the open intent, when it can be read back
   * @param values all that the loaders read, by path
   */
  public static Loaded of(
      Seen seen, Optional<UpdateEvent> interrupted, SortedMap<String, Optional<?>> values) {
    JournalState journal =
        new JournalState(
            seen.open(),
            new Revision(seen.openRevision()),
            seen.done(),
            new Revision(seen.doneRevision()),
            new Epoch(seen.epoch()),
            seen.unsettled());
    return new Loaded(seen.subject(), journal, interrupted, values);
  }

  /**
   * What the journal said of a subject, as stored values.
   *
   * @param open the intent that is open
   * @param openRevision its revision; empty when there is none
   * @param done what was completed
   * @param doneRevision its revision; empty when there is none
   * @param epoch ours
   * @param unsettled until when an earlier leader's act may still take hold
   */
  public record Seen(
      String subject,
      Optional<OpenRecord> open,
      String openRevision,
      Optional<DoneRecord> done,
      String doneRevision,
      long epoch,
      Optional<Instant> unsettled) {}

  JournalState journal() {
    return journal;
  }

  /** The event of the open intent, when it can be read back. */
  Optional<UpdateEvent> interrupted() {
    return interrupted;
  }
}
