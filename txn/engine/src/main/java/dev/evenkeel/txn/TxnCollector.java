package dev.evenkeel.txn;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.txn.RecordPhase;
import dev.evenkeel.api.txn.RecordWriter;
import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.txn.RetryPolicy;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.Txn;
import dev.evenkeel.api.txn.ValueReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects one event's transaction from its handlers; loop thread only. The loop says before each
 * handler whose entries follow.
 */
public final class TxnCollector implements Txn {
  private static final int FEW = 8;

  private Mode mode;
  private ValueReader committed;
  private final List<TxnEntry> entries = new ArrayList<>();

  /** By path, once somebody asks for more than a few of them. */
  private final Map<String, TxnEntry> lastByPath = new HashMap<>();

  private @Nullable List<TxnEntry> copy;
  private final Map<String, Object> reservedByPath = new HashMap<>();
  private final Set<String> stepNames = new HashSet<>();
  private int indexed;
  private String owner = "";

  /** For which sort of event. */
  public enum Mode {
    /** A serial update: no records. */
    SERIAL,
    /** A resync: values only, no deletes. */
    RESYNC,
    /** An operation: everything. */
    OPERATION
  }

  /** An empty transaction over the values that are committed. */
  public TxnCollector(Mode mode, ValueReader committed) {
    this.mode = mode;
    this.committed = committed;
  }

  /** The same object for another transaction; whoever had the last one must not use it now. */
  @SuppressWarnings("ReferenceEquality") // the same object need not be stored again
  public TxnCollector again(Mode next, ValueReader values) {
    mode = next;
    if (committed != values) {
      committed = values;
    }
    if (!entries.isEmpty() || !reservedByPath.isEmpty()) {
      entries.clear();
      lastByPath.clear();
      indexed = 0;
      copy = null;
      reservedByPath.clear();
      stepNames.clear();
    }
    return this;
  }

  /** Whose entries follow. */
  public void owner(String handler) {
    owner = handler;
  }

  /** All entries in order; unmodifiable copy. */
  public List<TxnEntry> entries() {
    List<TxnEntry> known = copy;
    if (known == null) {
      known = List.copyOf(entries);
      copy = known;
    }
    return known;
  }

  /** Whether nobody wants anything. */
  public boolean isEmpty() {
    return entries.isEmpty();
  }

  @Override
  public <V> void put(Key<V> key, V value) {
    Objects.requireNonNull(value, "value");
    add(new TxnEntry.Put<>(owner, key, value));
  }

  @Override
  public <V> void put(Key<V> key, V value, RetryPolicy retry) {
    refuse(mode == Mode.OPERATION, "retry", "its caller repeats an operation");
    Objects.requireNonNull(value, "value");
    add(new TxnEntry.Put<>(owner, key, value, Optional.of(retry)));
  }

  @Override
  public void delete(Key<?> key) {
    refuse(mode == Mode.RESYNC, "delete", "leave the value out");
    add(new TxnEntry.Delete(owner, key));
  }

  private void add(TxnEntry entry) {
    entries.add(entry);
    copy = null;
  }

  /** The last wish for a path; few are looked through, many are indexed. */
  private @Nullable TxnEntry last(String path) {
    if (entries.size() > FEW) {
      while (indexed < entries.size()) {
        TxnEntry entry = entries.get(indexed++);
        String its = pathOf(entry);
        if (its != null) {
          lastByPath.put(its, entry);
        }
      }
      return lastByPath.get(path);
    }
    for (int i = entries.size() - 1; i >= 0; i--) {
      TxnEntry entry = entries.get(i);
      if (path.equals(pathOf(entry))) {
        return entry;
      }
    }
    return null;
  }

  private static @Nullable String pathOf(TxnEntry entry) {
    if (entry instanceof TxnEntry.Put<?> put) {
      return put.key().path();
    }
    return entry instanceof TxnEntry.Delete delete ? delete.key().path() : null;
  }

  @Override
  public <V> Optional<V> get(Key<V> key) {
    return last(key.path()) instanceof TxnEntry.Put<?> put
        ? Optional.of(key.type().valueType().cast(put.value()))
        : Optional.empty();
  }

  @Override
  public <V> Optional<V> committed(Key<V> key) {
    return last(key.path()) != null ? get(key) : committed.desired(key);
  }

  @Override
  public <T> Ref<T> step(Step<T> step) {
    refuse(mode == Mode.RESYNC, "step", "use values, or a follow-up");
    if (!stepNames.add(step.name())) {
      throw new IllegalArgumentException("the transaction has two steps named " + step.name());
    }
    add(new TxnEntry.Act(owner, step));
    return new Ref<>(step.name(), step.resultType());
  }

  @Override
  public void records(RecordPhase phase, RecordWriter.Source source) {
    refuse(mode != Mode.OPERATION, "record", "make the event an operation");
    add(new TxnEntry.Records(owner, phase, source));
  }

  @Override
  public <V> void reserve(Key<V> key, V value) {
    records(RecordPhase.INTENT, (results, writer) -> writer.create(key, value));
    records(RecordPhase.UNDONE, (results, writer) -> writer.erase(key));
    reservedByPath.put(key.path(), value);
  }

  @Override
  public <V> Optional<V> reserved(Key<V> key) {
    return Optional.ofNullable(reservedByPath.get(key.path())).map(key.type().valueType()::cast);
  }

  private static void refuse(boolean wrong, String what, String instead) {
    if (wrong) {
      throw new IllegalStateException("this event's transaction takes no " + what + ": " + instead);
    }
  }
}
