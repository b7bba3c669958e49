package dev.evenkeel.txn.operation;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.BlockingDatastore;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Write;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * For stores without atomic batches: the same writes one after another, in an order in which a
 * crash anywhere is resumed by repeating the request. Any worker.
 *
 * <p><b>Begin.</b> Guards and records to be created are looked at first; then the intent is
 * written, alone, by compare-and-set: that decides who goes on. Then come the records in the order
 * in which the handlers gave them. A crash in between leaves an open intent: a repeat is an
 * interrupted operation, finds what is equal, and writes the rest. So that nothing is lost when a
 * delete comes instead, a handler gives what leads to the others first: the name, then the object.
 * Should a record be taken by somebody else after all, those made before it are removed again, then
 * the intent.
 *
 * <p><b>End.</b> The intent's revision is looked at; then come the records in their order (after an
 * undo in reverse), then what is kept, and the removal of the intent last, by compare-and-set. A
 * crash in between leaves the intent open: a repeat finds every step present, or absent, and writes
 * all of it again. A handler that erases gives what leads to the others last. When what is kept
 * names the transaction of the intent that is still there, the operation was complete, and the
 * intent counts as removed.
 */
final class StepwiseWriter implements JournalWriter {
  private final BlockingDatastore store;

  StepwiseWriter(BlockingDatastore store) {
    this.store = store;
  }

  @Override
  public Revision begin(
      OpenKey key, Optional<OpenRecord> intent, JournalState seen, List<Batch.Want> records) {
    Call call = Journal.Begun.call(seen.epoch());
    check(key, seen.openRevision(), call);
    check(new DoneKey(key.subject()), seen.doneRevision(), call);
    checkCreates(records, call);
    Revision revision = seen.openRevision();
    if (intent.isPresent()) {
      KeyValue<OpenRecord> pair = KeyValue.of(key, intent.get());
      revision =
          revision.isGiven()
              ? store.update(pair.at(revision), call).revision()
              : store.create(pair, call).revision();
    }
    Deque<Key<?>> made = new ArrayDeque<>();
    try {
      records.forEach(want -> write(want, made, call));
    } catch (TakenException lost) {
      if (!seen.openRevision().isGiven()) {
        made.forEach(record -> remove(record, Revision.NONE, call));
        remove(key, revision, call);
      }
      throw lost;
    }
    return revision;
  }

  @Override
  public void change(Journal.Begun begun, List<Batch.Want> records, List<Write> own) {
    Call call = Journal.Begun.call(begun.epoch());
    check(begun.key(), begun.revision(), call);
    checkCreates(records, call);
    List<Write> first = own.stream().filter(write -> isForgetting(write, begun)).toList();
    List<Write> last = own.stream().filter(write -> !isForgetting(write, begun)).toList();
    first.forEach(write -> own(write, begun, call));
    Deque<Key<?>> made = new ArrayDeque<>();
    records.forEach(want -> write(want, made, call));
    last.forEach(write -> own(write, begun, call));
  }

  /** That something was made is forgotten before its records go: a repeat must not rely on them. */
  private static boolean isForgetting(Write write, Journal.Begun begun) {
    return write instanceof Write.Remove && !write.key().equals(begun.key());
  }

  private void own(Write write, Journal.Begun begun, Call call) {
    boolean intent = write.key().equals(begun.key());
    if (write instanceof Write.Put<?> put) {
      put(put, intent ? begun.revision() : Revision.NONE, call);
    } else {
      remove(write.key(), intent ? begun.revision() : Revision.NONE, call);
    }
  }

  private <V> void check(Key<V> key, Revision expected, Call call) {
    Optional<KeyValue<V>> there = store.find(key, call);
    if (!there.map(KeyValue::revision).orElse(Revision.NONE).equals(expected)) {
      throw new DatastoreException.UpdateConflict(key.path(), Optional.empty());
    }
  }

  private void checkCreates(List<Batch.Want> records, Call call) {
    for (Batch.Want want : records) {
      if (want instanceof Batch.Create<?> create) {
        var unused = isAbsent(create, call);
      }
    }
  }

  private <V> boolean isAbsent(Batch.Create<V> create, Call call) {
    Optional<KeyValue<V>> there = store.find(create.key(), call);
    if (there.isPresent() && !there.get().value().equals(Optional.of(create.value()))) {
      throw new TakenException(create.key());
    }
    return there.isEmpty();
  }

  private void write(Batch.Want want, Deque<Key<?>> made, Call call) {
    if (want instanceof Batch.Create<?> create) {
      create(create, made, call);
    } else if (want instanceof Batch.Put<?> put) {
      put(put, call);
    } else {
      remove(want.key(), Revision.NONE, call);
    }
  }

  private <V> void create(Batch.Create<V> create, Deque<Key<?>> made, Call call) {
    if (!isAbsent(create, call)) {
      return;
    }
    try {
      var unused = store.create(KeyValue.of(create.key(), create.value()), call);
      made.push(create.key());
    } catch (DatastoreException.AlreadyExists lost) {
      throw new TakenException(create.key());
    }
  }

  private <V> void put(Batch.Put<V> put, Call call) {
    var unused = store.apply(KeyValue.of(put.key(), put.value()), call);
  }

  private <V> void put(Write.Put<V> put, Revision revision, Call call) {
    var unused = store.apply(KeyValue.of(put.key(), put.value()).at(revision), call);
  }

  private void remove(Key<?> key, Revision revision, Call call) {
    try {
      var unused = store.delete(key, revision, call);
    } catch (DatastoreException.DoesNotExist absent) {
      // Absent is what is wanted.
    }
  }
}
