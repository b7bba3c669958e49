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

/**
 * Collects one event's transaction from its handlers; loop thread only. The loop says before each
 * handler whose entries follow.
 */
public final class TxnCollector implements Txn {
  private Mode mode;
  private ValueReader committed;
  private final List<TxnEntry> entries = new ArrayList<>();
  private final Map<String, TxnEntry> lastByPath = new HashMap<>();
  private final Map<String, Object> reservedByPath = new HashMap<>();
  private final Set<String> stepNames = new HashSet<>();
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
  public TxnCollector again(Mode next, ValueReader values) {
    mode = next;
    committed = values;
    owner = "";
    if (!entries.isEmpty() || !reservedByPath.isEmpty()) {
      entries.clear();
      lastByPath.clear();
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
    return List.copyOf(entries);
  }

  /** Whether nobody wants anything. */
  public boolean isEmpty() {
    return entries.isEmpty();
  }

  @Override
  public <V> void put(Key<V> key, V value) {
    Objects.requireNonNull(value, "value");
    add(key.path(), new TxnEntry.Put<>(owner, key, value));
  }

  @Override
  public <V> void put(Key<V> key, V value, RetryPolicy retry) {
    refuse(mode == Mode.OPERATION, "retry", "its caller repeats an operation");
    Objects.requireNonNull(value, "value");
    add(key.path(), new TxnEntry.Put<>(owner, key, value, Optional.of(retry)));
  }

  @Override
  public void delete(Key<?> key) {
    refuse(mode == Mode.RESYNC, "delete", "leave the value out");
    add(key.path(), new TxnEntry.Delete(owner, key));
  }

  private void add(String path, TxnEntry entry) {
    lastByPath.put(path, entry);
    entries.add(entry);
  }

  @Override
  public <V> Optional<V> get(Key<V> key) {
    return lastByPath.get(key.path()) instanceof TxnEntry.Put<?> put
        ? Optional.of(key.type().valueType().cast(put.value()))
        : Optional.empty();
  }

  @Override
  public <V> Optional<V> committed(Key<V> key) {
    return lastByPath.containsKey(key.path()) ? get(key) : committed.desired(key);
  }

  @Override
  public <T> Ref<T> step(Step<T> step) {
    refuse(mode == Mode.RESYNC, "step", "use values, or a follow-up");
    if (!stepNames.add(step.name())) {
      throw new IllegalArgumentException("the transaction has two steps named " + step.name());
    }
    entries.add(new TxnEntry.Act(owner, step));
    return new Ref<>(step.name(), step.resultType());
  }

  @Override
  public void records(RecordPhase phase, RecordWriter.Source source) {
    refuse(mode != Mode.OPERATION, "record", "make the event an operation");
    entries.add(new TxnEntry.Records(owner, phase, source));
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
