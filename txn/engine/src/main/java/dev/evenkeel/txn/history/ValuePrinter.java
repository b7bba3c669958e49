package dev.evenkeel.txn.history;

import dev.evenkeel.api.Experimental;

/**
 * How values are shown to people. Given to the renderers by whoever calls them; called on the
 * renderer's thread. A {@link dev.evenkeel.api.Secret} inside a value prints as its mask; who holds
 * secrets in other forms prints those values otherwise, by their key.
 */
@FunctionalInterface
@Experimental("new")
public interface ValuePrinter {
  /** Values as they print themselves. */
  ValuePrinter PLAIN = (key, value) -> value.toString();

  /** That value's text; one that throws is replaced by a note. */
  String print(String key, Object value);
}
