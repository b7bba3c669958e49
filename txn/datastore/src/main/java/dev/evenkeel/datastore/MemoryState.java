package dev.evenkeel.datastore;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.datastore.DatastoreException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All that the memory holds: what is there by path, and the last changes, out of which an old state
 * and a watch's events are found. Not safe for threads: {@link MemoryDatastore} guards it.
 */
final class MemoryState {
  private final int historyLimit;
  private final NavigableMap<String, Stored> current = new TreeMap<>();
  private final ArrayDeque<Change> history = new ArrayDeque<>();
  private final TreeMap<Instant, List<String>> expiring = new TreeMap<>();
  // A new store has revision 1, as 0 is reserved for "from scratch".
  private long revision = 1;
  private long compacted = 1;

  MemoryState(int historyLimit) {
    this.historyLimit = historyLimit;
  }

  long revision() {
    return revision;
  }

  Optional<Stored> find(String path) {
    return Optional.ofNullable(current.get(path));
  }

  /** What begins with a text, by path. */
  SortedMap<String, Stored> beginningWith(String root) {
    return current.subMap(root, true, root + Character.MAX_VALUE, true);
  }

  /** The same as it was at an old revision. */
  SortedMap<String, Stored> beginningWith(String root, long at) {
    checkKept(root, at);
    TreeMap<String, Stored> then = new TreeMap<>(beginningWith(root));
    for (Iterator<Change> newest = history.descendingIterator(); newest.hasNext(); ) {
      Change change = newest.next();
      if (change.revision() <= at) {
        break;
      }
      if (change.path().startsWith(root)) {
        change
            .before()
            .ifPresentOrElse(
                stored -> then.put(change.path(), stored), () -> then.remove(change.path()));
      }
    }
    return then;
  }

  /** Refuses a revision that is not reached yet or not kept any more. */
  void checkKept(String about, long at) {
    if (at > revision) {
      throw new DatastoreException(
          ErrorKind.OUT_OF_RANGE, about, "revision " + at + " is in the future", null);
    }
    if (at < compacted) {
      throw new DatastoreException(
          ErrorKind.OUT_OF_RANGE, about, "revision " + at + " is compacted: read anew", null);
    }
  }

  /** The changes after a revision, oldest first, at most so many. */
  List<Change> after(String about, long after, int most) {
    checkKept(about, after);
    List<Change> found = new ArrayList<>();
    for (Iterator<Change> newest = history.descendingIterator(); newest.hasNext(); ) {
      Change change = newest.next();
      if (change.revision() <= after) {
        break;
      }
      found.add(change);
    }
    java.util.Collections.reverse(found);
    if (found.size() <= most) {
      return found;
    }
    // Never in the middle of a revision: the cursor of a watch is a revision.
    int end = most;
    while (end < found.size() && found.get(end).revision() == found.get(end - 1).revision()) {
      end++;
    }
    return found.subList(0, end);
  }

  /** Begins a write: everything put and removed until the next has this revision. */
  long next() {
    return ++revision;
  }

  Stored put(String path, Object value, Optional<Instant> expires) {
    Stored before = current.get(path);
    Stored after =
        new Stored(value, revision, before == null ? revision : before.created(), expires);
    current.put(path, after);
    expires.ifPresent(at -> expiring.computeIfAbsent(at, t -> new ArrayList<>()).add(path));
    remember(new Change(revision, path, Optional.ofNullable(before), Optional.of(after)));
    return after;
  }

  void remove(String path) {
    Stored before = current.remove(path);
    if (before != null) {
      remember(new Change(revision, path, Optional.of(before), Optional.empty()));
    }
  }

  /** Removes what has expired; whether there was any. */
  boolean expire(Instant now) {
    boolean any = false;
    while (!expiring.isEmpty() && !expiring.firstKey().isAfter(now)) {
      var due = expiring.pollFirstEntry();
      for (String path : due.getValue()) {
        // A later write has taken or moved the end of this one's life.
        if (find(path).flatMap(Stored::expires).filter(due.getKey()::equals).isPresent()) {
          next();
          remove(path);
          any = true;
        }
      }
    }
    return any;
  }

  private void remember(Change change) {
    history.addLast(change);
    while (history.size() > historyLimit) {
      compacted = history.removeFirst().revision();
    }
  }
}
