package dev.evenkeel.app.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The directory that holds everything of a controller: {@code layout} with the version of this
 * layout, {@code store} with the datastore, {@code volumes} with the backend's root, {@code
 * node-store} with what a node of its own remembers.
 *
 * @param root absolute
 */
record StateDir(Path root) {
  private static final String VERSION = "1";
  private static final String MARK = "layout";
  private static final String UNFINISHED_MARK = "layout.new";

  /** Where the datastore lives. */
  Path store() {
    return root.resolve("store");
  }

  /** Where the store of a node lives that is a process of its own. */
  Path nodeStore() {
    return root.resolve("node-store");
  }

  /** Where the volumes live. */
  Path volumes() {
    return root.resolve("volumes");
  }

  /** Makes it when it is absent or empty, else checks that it is one of ours. */
  static StateDir open(Path given) {
    Path root = given.toAbsolutePath().normalize();
    try {
      Files.createDirectories(root);
      Path mark = root.resolve(MARK);
      if (Files.exists(mark)) {
        checkVersion(root, Files.readString(mark).strip());
      } else {
        checkEmpty(root);
        Path unfinished = root.resolve(UNFINISHED_MARK);
        Files.write(
            unfinished,
            List.of(VERSION),
            StandardCharsets.US_ASCII,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE,
            StandardOpenOption.DSYNC);
        Files.move(unfinished, mark, StandardCopyOption.ATOMIC_MOVE);
      }
      return new StateDir(root);
    } catch (IOException e) {
      throw new CannotGoOnException(
          "The state directory " + root + " cannot be used: " + reason(e) + ".", e);
    }
  }

  private static void checkVersion(Path root, String found) {
    if (!found.equals(VERSION)) {
      throw new CannotGoOnException(
          "The state directory "
              + root
              + " has layout "
              + found
              + ", this build knows "
              + VERSION
              + ": use the build that made it, or a newer one.",
          null);
    }
  }

  private static void checkEmpty(Path root) throws IOException {
    try (Stream<Path> entries = Files.list(root)) {
      Set<String> ours = Set.of(UNFINISHED_MARK);
      if (entries.anyMatch(entry -> !ours.contains(entry.getFileName().toString()))) {
        throw new CannotGoOnException(
            "The directory "
                + root
                + " holds other things and no state of Evenkeel's: name an empty one, or one that"
                + " does not exist yet.",
            null);
      }
    }
  }

  /** What went wrong, in words; the file system's own where it has them. */
  static String reason(IOException e) {
    if (e instanceof AccessDeniedException) {
      return "it may not be written; change its permissions, or name another";
    }
    if (e instanceof FileAlreadyExistsException exists) {
      return exists.getFile() + " is a file; name a directory";
    }
    if (e instanceof NoSuchFileException missing) {
      return missing.getFile() + " does not exist and cannot be made";
    }
    if (e instanceof FileSystemException failed && failed.getReason() != null) {
      return failed.getFile() + ": " + failed.getReason();
    }
    return e.toString();
  }
}
