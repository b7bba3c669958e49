package dev.evenkeel.store.local;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.datastore.DatastoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.RocksDB;

/**
 * Loads RocksDB's native code once. RocksDB unpacks 15 MB of it into the temporary folder and
 * removes it when the process ends; a process that is killed leaves it there. So it is unpacked
 * into a folder of its own, which goes as soon as the code is loaded.
 */
final class NativeCode {
  private static boolean loaded;

  private NativeCode() {}

  static synchronized void load() {
    if (loaded) {
      return;
    }
    if (System.getenv("ROCKSDB_SHAREDLIB_DIR") == null) {
      unpack();
    }
    RocksDB.loadLibrary();
    loaded = true;
  }

  private static void unpack() {
    String where = System.getProperty("java.io.tmpdir", "");
    try {
      Path folder = Files.createTempDirectory("evenkeel-rocksdb");
      try {
        NativeLibraryLoader.getInstance().loadLibrary(folder.toString());
      } finally {
        remove(folder);
      }
    } catch (IOException failed) {
      DatastoreException why =
          StoreDirectory.failure(
              where,
              "RocksDB's native code cannot be unpacked into " + where,
              String.valueOf(failed.getMessage()),
              failed);
      throw why.kind() == ErrorKind.UNAVAILABLE
          ? new DatastoreException(
              ErrorKind.INTERNAL, where, String.valueOf(why.getMessage()), failed)
          : why;
    }
  }

  private static void remove(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> inside = Files.list(folder)) {
      files = inside.toList();
    }
    for (Path file : files) {
      Files.delete(file);
    }
    Files.delete(folder);
  }
}
