package dev.evenkeel.store.local;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.datastore.DatastoreException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The writes of one group commit before they are durable: what a write in the group reads is the
 * store with the group's earlier writes over it. A write checks everything before it changes
 * anything, so one that is refused leaves nothing behind. Writer thread only.
 */
final class Draft {
  private final Rocks rocks;
  private final Map<String, Optional<Entry>> written = new LinkedHashMap<>();
  private final List<Change> changes = new ArrayList<>();
  private long revision;
  private Epoch epoch;

  Draft(Rocks rocks, long revision, Epoch epoch) {
    this.rocks = rocks;
    this.revision = revision;
    this.epoch = epoch;
  }

  long revision() {
    return revision;
  }

  Epoch epoch() {
    return epoch;
  }

  List<Change> changes() {
    return changes;
  }

  void checkEpoch(String about, Epoch wanted) {
    if (wanted.equals(Epoch.NONE)) {
      return;
    }
    if (wanted.compareTo(epoch) < 0) {
      throw new DatastoreException.Fenced(about);
    }
    epoch = wanted;
  }

  Optional<Entry> find(String path) {
    Optional<Entry> own = written.getOrDefault(path, Optional.empty());
    return written.containsKey(path) ? own : rocks.find(path);
  }

  SortedMap<String, Entry> beginningWith(String root) {
    SortedMap<String, Entry> found = new TreeMap<>(rocks.beginningWith(root).entries());
    written.forEach(
        (path, entry) -> {
          if (path.startsWith(root)) {
            entry.ifPresentOrElse(e -> found.put(path, e), () -> found.remove(path));
          }
        });
    return found;
  }

  /** Begins a write: what is put and removed until the next has this revision. */
  long next() {
    return ++revision;
  }

  Entry put(String path, byte[] value) {
    Optional<Entry> before = find(path);
    Entry after = new Entry(value, revision, before.map(e -> e.created).orElse(revision));
    record(path, before, Optional.of(after));
    return after;
  }

  void remove(String path) {
    Optional<Entry> before = find(path);
    if (before.isPresent()) {
      record(path, before, Optional.empty());
    }
  }

  private void record(String path, Optional<Entry> before, Optional<Entry> after) {
    written.put(path, after);
    changes.add(new Change(revision, path, before, after));
  }
}
