package dev.evenkeel.api.datastore;

import java.util.List;

/**
 * What a list found. Immutable.
 *
 * @param items ordered by path
 * @param revision one revision for the whole list, usable for a watch
 */
public record KeyValueList<V>(List<KeyValue<V>> items, Revision revision) {
  /** Copies the items. */
  public KeyValueList {
    items = List.copyOf(items);
  }
}
