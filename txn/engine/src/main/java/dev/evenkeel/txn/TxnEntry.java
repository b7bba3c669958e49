package dev.evenkeel.txn;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.txn.RecordPhase;
import dev.evenkeel.api.txn.RecordWriter;
import dev.evenkeel.api.txn.RetryPolicy;
import dev.evenkeel.api.txn.Step;
import java.util.Optional;

/** One thing that a handler put into a transaction, in order. */
public sealed interface TxnEntry {
  /** Name of the handler. */
  String owner();

  /**
   * A value is wanted.
   *
   * @param retry how it is tried again, if that has been said of this value
   */
  record Put<V>(String owner, Key<V> key, V value, Optional<RetryPolicy> retry)
      implements TxnEntry {
    /** One of which nothing has been said. */
    public Put(String owner, Key<V> key, V value) {
      this(owner, key, value, Optional.empty());
    }
  }

  /** A value is wanted gone. */
  record Delete(String owner, Key<?> key) implements TxnEntry {}

  /** An act is wanted. */
  record Act(String owner, Step<?> step) implements TxnEntry {}

  /** Stored records are wanted. */
  record Records(String owner, RecordPhase phase, RecordWriter.Source source) implements TxnEntry {}
}
