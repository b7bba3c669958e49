package dev.evenkeel.store.rados;

import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What this client's last lists found: the newest one, and as many more as are few and small. */
final class Lists {
  private static final int MOST_LISTS = 64;
  private static final int MOST_ENTRIES = 500_000;

  private final Map<Revision, Snapshot> kept = new LinkedHashMap<>();

  synchronized void keep(Snapshot found) {
    kept.remove(found.revision());
    kept.put(found.revision(), found);
    int entries = kept.values().stream().mapToInt(list -> list.entries().size()).sum();
    Iterator<Snapshot> oldest = kept.values().iterator();
    while (kept.size() > 1 && (kept.size() > MOST_LISTS || entries > MOST_ENTRIES)) {
      entries -= oldest.next().entries().size();
      oldest.remove();
    }
  }

  /** The list of that revision, if it has all that the options mean. */
  synchronized Optional<Snapshot> find(Revision revision, ListOptions<?> options) {
    return Optional.ofNullable(kept.get(revision)).filter(list -> list.covers(options));
  }
}
