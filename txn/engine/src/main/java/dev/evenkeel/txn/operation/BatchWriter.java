package dev.evenkeel.txn.operation;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.BlockingDatastore;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Guard;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** For stores with atomic batches: everything at once, under guards. Any worker. */
final class BatchWriter implements JournalWriter {
  private final BlockingDatastore store;

  BatchWriter(BlockingDatastore store) {
    this.store = store;
  }

  @Override
  public Revision begin(
      OpenKey key, Optional<OpenRecord> intent, JournalState seen, List<Batch.Want> records) {
    Call call = Journal.Begun.call(seen.epoch());
    List<Guard> guards = guards(seen.epoch());
    guards.add(asSeen(key, seen.openRevision()));
    guards.add(asSeen(new DoneKey(key.subject()), seen.doneRevision()));
    List<Write> writes = new ArrayList<>();
    intent.ifPresent(record -> writes.add(new Write.Put<>(key, record)));
    records.forEach(want -> add(want, guards, writes, call));
    if (writes.isEmpty()) {
      return seen.openRevision();
    }
    Revision revision = store.commit(guards, writes, call);
    return intent.isPresent() ? revision : seen.openRevision();
  }

  @Override
  public void change(Journal.Begun begun, List<Batch.Want> records, List<Write> own) {
    Call call = Journal.Begun.call(begun.epoch());
    List<Guard> guards = guards(begun.epoch());
    guards.add(new Guard.At(begun.key(), begun.revision()));
    List<Write> writes = new ArrayList<>();
    records.forEach(want -> add(want, guards, writes, call));
    writes.addAll(own);
    if (!writes.isEmpty()) {
      var unused = store.commit(guards, writes, call);
    }
  }

  private static List<Guard> guards(Epoch epoch) {
    List<Guard> guards = new ArrayList<>();
    if (!epoch.equals(Epoch.NONE)) {
      guards.add(new Guard.Leader(epoch));
    }
    return guards;
  }

  private static Guard asSeen(Key<?> key, Revision revision) {
    return revision.isGiven() ? new Guard.At(key, revision) : new Guard.Absent(key);
  }

  private void add(Batch.Want want, List<Guard> guards, List<Write> writes, Call call) {
    if (want instanceof Batch.Create<?> create) {
      create(create, guards, writes, call);
    } else if (want instanceof Batch.Put<?> put) {
      writes.add(write(put));
    } else {
      writes.add(new Write.Remove(want.key()));
    }
  }

  private <V> void create(
      Batch.Create<V> create, List<Guard> guards, List<Write> writes, Call call) {
    Optional<KeyValue<V>> there = store.find(create.key(), call);
    if (there.isEmpty()) {
      guards.add(new Guard.Absent(create.key()));
      writes.add(new Write.Put<>(create.key(), create.value()));
    } else if (there.get().value().equals(Optional.of(create.value()))) {
      guards.add(new Guard.At(create.key(), there.get().revision()));
    } else {
      throw new TakenException(create.key());
    }
  }

  private static <V> Write write(Batch.Put<V> put) {
    return new Write.Put<>(put.key(), put.value());
  }
}
