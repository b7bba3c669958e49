package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.txn.RecordWriter;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.ObjectKey;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRecord;

/**
 * The writer for updaters that leaves two records alone. When a reservation is undone, what was
 * reserved is erased by the transaction itself, and a phase writes a record once; when something is
 * removed by id, its name may lead to another by now.
 */
record Unreserving(RecordWriter writer, Key<?> name, Key<?> object) implements RecordWriter {
  Unreserving(RecordWriter writer, ObjectKind kind, ObjectRecord object) {
    this(writer, new NameKey(kind, object.name()), new ObjectKey(kind, object.uuid()));
  }

  @Override
  public <V> void create(Key<V> key, V value) {
    writer.create(key, value);
  }

  @Override
  public <V> void put(Key<V> key, V value) {
    writer.put(key, value);
  }

  @Override
  public void erase(Key<?> key) {
    if (!key.equals(name) && !key.equals(object)) {
      writer.erase(key);
    }
  }
}
