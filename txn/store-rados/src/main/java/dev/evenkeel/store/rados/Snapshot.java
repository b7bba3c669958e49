package dev.evenkeel.store.rados;

import dev.evenkeel.api.datastore.Revision;
import java.util.SortedMap;

/**
 * What a list found.
 *
 * @param entries by path; not changed any more
 * @param revision of them all
 */
record Snapshot(SortedMap<String, Entry> entries, Revision revision) {
  static Snapshot of(SortedMap<String, Entry> entries) {
    return new Snapshot(entries, Revisions.ofList(entries.values()));
  }
}
