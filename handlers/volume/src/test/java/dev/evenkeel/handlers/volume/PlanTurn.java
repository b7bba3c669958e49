package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.handler.Found;
import dev.evenkeel.api.handler.Reader;
import dev.evenkeel.api.handler.StateMap;
import dev.evenkeel.api.handler.StateName;
import dev.evenkeel.api.handler.Turn;
import dev.evenkeel.api.txn.Results;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One PLAN turn: what loaders read is what handlers see, and nothing else. */
final class PlanTurn implements Turn, Reader {
  static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  final PlannedTxn txn = new PlannedTxn();
  final List<LockKey> locks = new ArrayList<>();
  final Map<String, Object> state = new TreeMap<>();
  private final Map<String, ?> store;
  private final Found found;
  private final Map<String, Optional<?>> read = new TreeMap<>();
  private final AtomicInteger ids;
  @Nullable String subject;
  private @Nullable Function<Results, ?> answer;

  PlanTurn(Map<String, ?> store, Found found, AtomicInteger ids) {
    this.ids = ids;
    this.store = store;
    this.found = found;
  }

  Object answer(Results results) {
    if (answer == null) {
      throw new AssertionError("nobody answered");
    }
    return answer.apply(results);
  }

  @Override
  public <V> Optional<V> read(Key<V> key) {
    Optional<V> value =
        Optional.ofNullable(store.get(key.path())).map(key.type().valueType()::cast);
    read.put(key.path(), value);
    return value;
  }

  @Override
  public <V> List<KeyedValue<V>> list(KeyType<V> type, String pathPrefix) {
    throw new AssertionError("point reads only (J8)");
  }

  @Override
  public void subject(String canonical) {
    subject = canonical;
  }

  @Override
  public <V> Optional<V> loaded(Key<V> key) {
    Optional<?> value = read.get(key.path());
    if (value == null) {
      throw new IllegalStateException("nobody read " + key.path());
    }
    return value.map(key.type().valueType()::cast);
  }

  @Override
  public PlannedTxn txn() {
    return txn;
  }

  @Override
  public Instant now() {
    return NOW;
  }

  @Override
  public RandomGenerator random() {
    throw new AssertionError("no chance in here");
  }

  @Override
  public String newId() {
    return String.format("00000000-0000-4000-8000-%012d", ids.incrementAndGet());
  }

  @Override
  public int resyncCount() {
    return 1;
  }

  @Override
  public boolean startup() {
    return false;
  }

  @Override
  public InputState input() {
    return InputState.empty();
  }

  @Override
  public void followUp(Event event) {
    throw new AssertionError("no follow-ups");
  }

  @Override
  public void schedule(Duration delay, Event event) {
    throw new AssertionError("no timers");
  }

  @Override
  public void onRevert(Runnable undo) {
    throw new AssertionError("no state of its own");
  }

  @Override
  public <R> void answer(Request<R> request, R value) {
    answer = results -> value;
  }

  @Override
  public <R> void answerFrom(Request<R> request, Function<Results, R> value) {
    answer = value;
  }

  @Override
  public <V> StateMap<V> state(StateName<V> name) {
    return new StateMap<>() {
      @Override
      public Optional<V> get(String key) {
        return Optional.ofNullable(state.get(key)).map(name.valueType()::cast);
      }

      @Override
      public void put(String key, V value) {
        state.put(key, value);
      }

      @Override
      public void remove(String key) {
        state.remove(key);
      }

      @Override
      public SortedMap<String, V> all() {
        return Collections.emptySortedMap();
      }
    };
  }

  @Override
  public String transaction() {
    return found instanceof Found.Interrupted interrupted
        ? interrupted.intent().transaction()
        : "t";
  }

  @Override
  public Found found() {
    return found;
  }

  @Override
  public void lock(LockKey key) {
    locks.add(key);
  }

  @Override
  public int version(String name, int lowest, int highest) {
    return highest;
  }
}
