package dev.evenkeel.app;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Removes what earlier demos have left behind: all but the newest few, and nothing that is so young
 * that it may still be running. What cannot be removed stays; that is no failure.
 */
final class OldDemos {
  static final String PREFIX = "demo-";
  static final int KEPT = 3;
  static final Duration YOUNG = Duration.ofHours(1);

  private OldDemos() {}

  static void remove(Path target, InstantSource clock) {
    List<Path> demos = new ArrayList<>();
    try (Stream<Path> all = Files.list(target)) {
      all.filter(path -> path.getFileName().toString().startsWith(PREFIX))
          .filter(Files::isDirectory)
          .forEach(demos::add);
    } catch (IOException unreadable) {
      return;
    }
    demos.sort(Comparator.comparing(OldDemos::time).reversed());
    Instant limit = clock.instant().minus(YOUNG);
    for (Path demo : demos.subList(Math.min(KEPT, demos.size()), demos.size())) {
      if (time(demo).isBefore(limit)) {
        removeTree(demo);
      }
    }
  }

  private static Instant time(Path path) {
    try {
      return Files.getLastModifiedTime(path).toInstant();
    } catch (IOException gone) {
      return Instant.MAX;
    }
  }

  private static void removeTree(Path root) {
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failed)
                throws IOException {
              Files.delete(folder);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException somethingStays) {
      System.getLogger(OldDemos.class.getName())
          .log(System.Logger.Level.DEBUG, "an old demo stays", somethingStays);
    }
  }
}
