package dev.evenkeel.controller.core;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.txn.RecordPhase;
import dev.evenkeel.api.txn.RecordWriter;
import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.txn.RetryPolicy;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.Txn;
import java.util.Optional;

/** A transaction that a handler cannot use after its call, or from another thread. */
record GuardedTxn(EventTurn turn) implements Txn {
  private Txn checked() {
    return turn.planned();
  }

  @Override
  public <V> void put(Key<V> key, V value) {
    checked().put(key, value);
  }

  @Override
  public <V> void put(Key<V> key, V value, RetryPolicy retry) {
    checked().put(key, value, retry);
  }

  @Override
  public void delete(Key<?> key) {
    checked().delete(key);
  }

  @Override
  public <V> Optional<V> get(Key<V> key) {
    return checked().get(key);
  }

  @Override
  public <V> Optional<V> committed(Key<V> key) {
    return checked().committed(key);
  }

  @Override
  public <T> Ref<T> step(Step<T> step) {
    return checked().step(step);
  }

  @Override
  public void records(RecordPhase phase, RecordWriter.Source source) {
    checked().records(phase, source);
  }

  @Override
  public <V> void reserve(Key<V> key, V value) {
    checked().reserve(key, value);
  }

  @Override
  public <V> Optional<V> reserved(Key<V> key) {
    return checked().reserved(key);
  }
}
