package dev.evenkeel.app.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders of this program's own that are thrown away. */
final class DiskTree {
  private DiskTree() {}

  /** Removes a folder with all that is in it; follows no links. */
  static void delete(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
      for (Path each : deepestFirst) {
        Files.delete(each);
      }
    }
  }
}
