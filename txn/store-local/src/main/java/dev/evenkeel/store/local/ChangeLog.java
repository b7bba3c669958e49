package dev.evenkeel.store.local;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.datastore.DatastoreException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/**
 * The last changes of this process, out of which watches read: bounded in number and bytes. What
 * happened before the store was opened is not in it. Any thread.
 */
final class ChangeLog {
  private static final int MOST = 10_000;
  private static final long MOST_BYTES = 16L << 20;

  private final ArrayDeque<Change> changes = new ArrayDeque<>();
  private long bytes;
  private long compacted;
  // The writer says what it is about to commit, since a reader may see that before it is logged.
  private volatile long highest;

  ChangeLog(long opened) {
    this.compacted = opened;
    this.highest = opened;
  }

  void expect(long revision) {
    highest = revision;
  }

  /** What happened up to a revision is not known: watches from before must read anew. */
  synchronized void skip(long revision) {
    changes.clear();
    bytes = 0;
    compacted = revision;
    highest = revision;
  }

  synchronized void add(List<Change> committed) {
    for (Change change : committed) {
      changes.addLast(change);
      bytes += change.size();
    }
    while (changes.size() > MOST || (bytes > MOST_BYTES && !changes.isEmpty())) {
      Change oldest = changes.removeFirst();
      bytes -= oldest.size();
      compacted = oldest.revision();
    }
  }

  /** The changes after a revision, oldest first, about so many, and whole revisions. */
  synchronized List<Change> after(String about, long revision, int most) {
    if (revision > highest) {
      throw new DatastoreException(
          ErrorKind.OUT_OF_RANGE, about, "revision " + revision + " is in the future", null);
    }
    if (revision < compacted) {
      throw new DatastoreException(
          ErrorKind.OUT_OF_RANGE,
          about,
          "the changes since revision " + revision + " are not kept any more: read anew",
          null);
    }
    List<Change> found = new ArrayList<>();
    for (Iterator<Change> newest = changes.descendingIterator(); newest.hasNext(); ) {
      Change change = newest.next();
      if (change.revision() <= revision) {
        break;
      }
      found.add(change);
    }
    Collections.reverse(found);
    if (found.size() <= most) {
      return found;
    }
    int end = most;
    while (end < found.size() && found.get(end).revision() == found.get(end - 1).revision()) {
      end++;
    }
    return new ArrayList<>(found.subList(0, end));
  }
}
