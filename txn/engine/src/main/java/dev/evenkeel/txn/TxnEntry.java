package dev.evenkeel.txn;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.txn.RecordPhase;
import dev.evenkeel.api.txn.RecordWriter;
import dev.evenkeel.api.txn.Step;

/** One thing that a handler put into a transaction, in order. */
public sealed interface TxnEntry {
  /** Name of the handler. */
  String owner();

  /** A value is wanted. */
  record Put<V>(String owner, Key<V> key, V value) implements TxnEntry {}

  /** A value is wanted gone. */
  record Delete(String owner, Key<?> key) implements TxnEntry {}

  /** An act is wanted. */
  record Act(String owner, Step<?> step) implements TxnEntry {}

  /** Stored records are wanted. */
  record Records(String owner, RecordPhase phase, RecordWriter.Source source) implements TxnEntry {}
}
