package dev.evenkeel.controller.source;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.datastore.Revision;

/**
 * A value as a datastore has it.
 *
 * @param remote its key there
 * @param revision its revision there, or none when it comes from a mirror
 */
record Pair(Key<?> remote, Object value, Revision revision) {
  /** Whether it is external configuration: that lives below a prefix. */
  boolean external() {
    return remote instanceof Prefixed<?>;
  }

  /** Its key for the loop. */
  Key<?> key() {
    return remote instanceof Prefixed<?> prefixed ? prefixed.inner() : remote;
  }

  @SuppressWarnings("unchecked") // a pair's value was checked against its key's type
  KeyedValue<?> keyed() {
    return new KeyedValue<>((Key<Object>) key(), value);
  }
}
