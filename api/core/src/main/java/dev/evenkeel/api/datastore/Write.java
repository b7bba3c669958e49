package dev.evenkeel.api.datastore;

import dev.evenkeel.api.Key;

/** One change of a batch. A key appears in a batch once at most. */
public sealed interface Write {
  /** The key that it changes. */
  Key<?> key();

  /** Creates or overwrites. */
  record Put<V>(Key<V> key, V value) implements Write {}

  /** Removes; something absent is fine. */
  record Remove(Key<?> key) implements Write {}
}
