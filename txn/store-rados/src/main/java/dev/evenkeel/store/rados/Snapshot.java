package dev.evenkeel.store.rados;

import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;

/**
 * What a list found.
 *
 * @param entries by path; not changed any more
 * @param of what was meant
 * @param revision of them all
 */
record Snapshot(SortedMap<String, Entry> entries, Optional<ListOptions<?>> of, Revision revision) {

  static Snapshot of(SortedMap<String, Entry> entries) {
    return new Snapshot(entries, Optional.empty(), Revision.NONE);
  }

  static Snapshot nothing() {
    return of(Collections.emptySortedMap());
  }

  /** The same with a revision made of what was meant and what was found. */
  Snapshot labelled(ListOptions<?> options) {
    String meant = options.scope() + " " + options.root();
    return new Snapshot(entries, Optional.of(options), Revisions.ofList(meant, entries.values()));
  }

  /** Whether all that the options mean is in it. */
  boolean covers(ListOptions<?> options) {
    return of.filter(
            own ->
                own.type().equals(options.type())
                    && (own.scope() == ListOptions.Scope.ONE
                        ? own.equals(options)
                        : options.root().startsWith(own.root())))
        .isPresent();
  }
}
