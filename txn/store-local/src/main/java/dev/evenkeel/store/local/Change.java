package dev.evenkeel.store.local;

import java.util.Optional;

/** One path's change at a revision. */
record Change(long revision, String path, Optional<Entry> before, Optional<Entry> after) {
  int size() {
    return 100
        + 2 * path.length()
        + before.map(Entry::size).orElse(0)
        + after.map(Entry::size).orElse(0);
  }
}
