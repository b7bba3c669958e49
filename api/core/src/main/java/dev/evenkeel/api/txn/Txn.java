package dev.evenkeel.api.txn;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.Key;
import java.util.Optional;
import java.util.function.Function;

/**
 * What one event wants changed, collected from all handlers in order. Implemented by Evenkeel;
 * belongs to one {@code Turn}, loop thread only. Nothing is done before the last handler has
 * returned.
 *
 * <p><b>Values</b> go through descriptors and become part of the desired state. <b>Steps</b> are
 * acts on the outside in a fixed order. <b>Records</b> are stored state: reserved ones are durable
 * before the first step, result ones when all is done.
 */
public interface Txn {
  /**
   * Wants a value. The last write of a key wins, across handlers, and its handler owns the key
   * (JT-15).
   */
  <V> void put(Key<V> key, V value);

  /**
   * Wants a value, and says how it is tried again when it fails, instead of what the loop or the
   * commit says for all. Not allowed in an operation, which its caller repeats (JT-12).
   */
  @Experimental("new")
  <V> void put(Key<V> key, V value, RetryPolicy retry);

  /**
   * Wants a value gone, whoever owned it. Not allowed in a resync, where not putting it means the
   * same.
   */
  void delete(Key<?> key);

  /**
   * What this transaction has put for the key so far; empty when nothing, or when it is marked
   * deleted.
   */
  <V> Optional<V> get(Key<V> key);

  /** This transaction's value if it has one, else the last committed desired value. */
  <V> Optional<V> committed(Key<V> key);

  /**
   * Adds an act. Acts run in the order in which they were added, after the values put before them
   * and before those put after (JT-5). Not allowed in a resync.
   *
   * @throws IllegalArgumentException when the transaction has a step of that name
   */
  <T> Ref<T> step(Step<T> step);

  /**
   * Operations only: stored records to be written in a phase, in the order in which they were
   * added. A key may be written once per phase.
   */
  void records(RecordPhase phase, RecordWriter.Source source);

  /**
   * Operations only: a record that is stored with the intent, before the first step, and erased
   * when everything has been undone. It must be absent, or equal already.
   */
  <V> void reserve(Key<V> key, V value);

  /**
   * Operations only: what this handler or one before it has reserved for the key; so a handler
   * learns what the stock ones are about to make, such as the name of an image.
   */
  <V> Optional<V> reserved(Key<V> key);

  /**
   * Operations only: a record that is stored with the end of the intent, when every step has
   * succeeded.
   */
  default <V> void record(Key<V> key, Function<Results, V> value) {
    records(RecordPhase.SUCCESS, (results, writer) -> writer.put(key, value.apply(results)));
  }

  /**
   * Operations only: a record that is erased with the end of the intent, when every step has
   * succeeded.
   */
  default void erase(Key<?> key) {
    records(RecordPhase.SUCCESS, (results, writer) -> writer.erase(key));
  }
}
