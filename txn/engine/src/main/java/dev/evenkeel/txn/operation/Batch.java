package dev.evenkeel.txn.operation;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.txn.RecordWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** The records of one phase, in the order in which handlers gave them. One worker's thread. */
final class Batch implements RecordWriter {
  /** Records that one phase may write. */
  private static final int MOST = 1000;

  private final List<Want> wants = new ArrayList<>();
  private final Set<String> paths = new HashSet<>();
  private boolean closed;

  /** One record. */
  sealed interface Want {
    /** Its key. */
    Key<?> key();
  }

  /** Must be absent, or equal. */
  record Create<V>(Key<V> key, V value) implements Want {}

  /** Created or overwritten. */
  record Put<V>(Key<V> key, V value) implements Want {}

  /** Removed. */
  record Erase(Key<?> key) implements Want {}

  List<Want> wants() {
    closed = true;
    return wants;
  }

  @Override
  public <V> void create(Key<V> key, V value) {
    add(new Create<>(key, Objects.requireNonNull(value, "value")));
  }

  @Override
  public <V> void put(Key<V> key, V value) {
    add(new Put<>(key, Objects.requireNonNull(value, "value")));
  }

  @Override
  public void erase(Key<?> key) {
    add(new Erase(key));
  }

  private void add(Want want) {
    String path = want.key().path();
    if (closed) {
      throw new IllegalStateException("a record writer is valid during the call only");
    }
    if (path.startsWith(OpenKey.TYPE.prefix()) || path.startsWith(DoneKey.TYPE.prefix())) {
      throw new IllegalArgumentException("the journal is not written by handlers: " + path);
    }
    if (wants.size() >= MOST) {
      throw new IllegalArgumentException("a phase may write " + MOST + " records at most");
    }
    if (!paths.add(path)) {
      throw new IllegalArgumentException("a phase writes a record once: " + path);
    }
    wants.add(want);
  }
}
