package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.txn.RecordPhase;
import dev.evenkeel.api.txn.RecordWriter;
import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.txn.Results;
import dev.evenkeel.api.txn.RetryPolicy;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.Txn;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Keeps what handlers want, for tests to look at; refuses what volumes must not want. */
final class PlannedTxn implements Txn {
  final List<Step<?>> steps = new ArrayList<>();
  private final Map<RecordPhase, List<RecordWriter.Source>> records =
      new EnumMap<>(RecordPhase.class);
  private final Map<String, Object> reserved = new TreeMap<>();

  List<String> stepNames() {
    return steps.stream().map(Step::name).toList();
  }

  boolean isEmpty() {
    return steps.isEmpty() && records.isEmpty();
  }

  /** What a phase writes: {@code put path value} and so on; a path twice is an error. */
  List<Written> written(RecordPhase phase, Results results) throws Exception {
    List<Written> out = new ArrayList<>();
    for (RecordWriter.Source source : records.getOrDefault(phase, List.of())) {
      source.write(results, new Collector(out));
    }
    if (out.stream().map(w -> w.key().path()).distinct().count() != out.size()) {
      throw new IllegalArgumentException("a phase writes a record once: " + out);
    }
    return out;
  }

  /** One record written. */
  record Written(String how, Key<?> key, Optional<Object> value) {}

  private record Collector(List<Written> out) implements RecordWriter {
    @Override
    public <V> void create(Key<V> key, V value) {
      out.add(new Written("create", key, Optional.of(value)));
    }

    @Override
    public <V> void put(Key<V> key, V value) {
      out.add(new Written("put", key, Optional.of(value)));
    }

    @Override
    public void erase(Key<?> key) {
      out.add(new Written("erase", key, Optional.empty()));
    }
  }

  @Override
  public <T> Ref<T> step(Step<T> step) {
    if (stepNames().contains(step.name())) {
      throw new IllegalArgumentException("two steps named " + step.name());
    }
    steps.add(step);
    return new Ref<>(step.name(), step.resultType());
  }

  @Override
  public void records(RecordPhase phase, RecordWriter.Source source) {
    records.computeIfAbsent(phase, p -> new ArrayList<>()).add(source);
  }

  @Override
  public <V> void reserve(Key<V> key, V value) {
    records(RecordPhase.INTENT, (results, writer) -> writer.create(key, value));
    records(RecordPhase.UNDONE, (results, writer) -> writer.erase(key));
    reserved.put(key.path(), value);
  }

  @Override
  public <V> Optional<V> reserved(Key<V> key) {
    return Optional.ofNullable(reserved.get(key.path())).map(key.type().valueType()::cast);
  }

  @Override
  public <V> void put(Key<V> key, V value) {
    throw new AssertionError("volumes are no values: " + key.path());
  }

  @Override
  public <V> void put(Key<V> key, V value, RetryPolicy retry) {
    put(key, value);
  }

  @Override
  public void delete(Key<?> key) {
    throw new AssertionError("volumes are no values: " + key.path());
  }

  @Override
  public <V> Optional<V> get(Key<V> key) {
    return Optional.empty();
  }

  @Override
  public <V> Optional<V> committed(Key<V> key) {
    return Optional.empty();
  }
}
