package dev.evenkeel.api.datastore;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.Key;

/** What must hold for a batch to be written. */
public sealed interface Guard {
  /** The key has exactly that revision. */
  record At(Key<?> key, Revision revision) implements Guard {}

  /** The key does not exist. */
  record Absent(Key<?> key) implements Guard {}

  /** The key exists. */
  record Exists(Key<?> key) implements Guard {}

  /** No newer epoch is known. */
  record Leader(Epoch epoch) implements Guard {}
}
