package dev.evenkeel.store.local;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.datastore.DatastoreException;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Refuses a write while there is still room for the database to finish what it has taken: a
 * database that meets a full disk half-way needs room to recover, too. What removes only needs
 * less.
 */
final class DiskSpace {
  /** What must be free for a write that adds something; one that only removes needs a quarter. */
  static final long USUAL = 16L << 20;

  private final Path folder;
  private final long headroom;
  private final FileStore disk;

  DiskSpace(Path folder, long headroom) {
    this.folder = folder;
    this.headroom = headroom;
    try {
      this.disk = Files.getFileStore(folder);
    } catch (IOException failed) {
      throw StoreDirectory.refused(folder, failed);
    }
    check(List.of());
  }

  /** Throws RESOURCE_EXHAUSTED when the changes may not fit. */
  void check(List<Change> changes) {
    boolean puts = changes.stream().anyMatch(change -> change.after().isPresent());
    if (headroom == 0) {
      return;
    }
    long wanted = puts ? headroom : headroom / 4;
    for (Change change : changes) {
      wanted += 2L * change.size();
    }
    long free;
    try {
      free = disk.getUsableSpace();
    } catch (IOException failed) {
      throw StoreDirectory.refused(folder, failed);
    }
    if (free < wanted) {
      throw new DatastoreException(
          ErrorKind.RESOURCE_EXHAUSTED,
          folder.toString(),
          "the disk of the local store "
              + folder
              + " is full: "
              + (free >> 20)
              + " MiB are free, "
              + (wanted >> 20)
              + " MiB must be",
          null);
    }
  }
}
