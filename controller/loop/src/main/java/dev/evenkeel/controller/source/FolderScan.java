package dev.evenkeel.controller.source;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.codec.jackson.Document;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reads the files of a directory: those whose names end with {@code .json}, {@code .yaml} or {@code
 * .yml} and do not begin with a dot; regular files, also through symbolic links, which may lead
 * anywhere; nothing below. A file that cannot be read or decoded keeps its last good content.
 * Blocks; one thread at a time.
 */
final class FolderScan {
  /** Most files. */
  static final int MOST_FILES = 1_000;

  private final String source;
  private final Path folder;
  private final FolderText text;

  /** What a look has found. */
  record Seen(FolderContent content, SortedMap<String, Failure> problems) {}

  FolderScan(String source, Path folder, FolderText text) {
    this.source = source;
    this.folder = folder;
    this.text = text;
  }

  /** Looks at all files. */
  Seen look(FolderContent before) {
    SortedMap<String, SortedMap<String, String>> files = new TreeMap<>();
    SortedMap<String, Failure> problems = new TreeMap<>();
    try {
      int count = 0;
      for (Path file : names()) {
        String name = file.getFileName().toString();
        count++;
        try {
          if (count > MOST_FILES) {
            throw InvalidInputException.of(
                name, "file", "", "is one of more than " + MOST_FILES + " files");
          }
          files.put(name, text.read(name, bytes(file)));
        } catch (NoSuchFileException gone) {
          // between the list and the look
        } catch (IOException | InvalidInputException wrong) {
          SortedMap<String, String> lastGood = before.files().get(name);
          if (lastGood != null) {
            files.put(name, lastGood);
          }
          problems.put(name, problem(name, wrong));
        }
      }
    } catch (IOException | java.nio.file.DirectoryIteratorException unreadable) {
      problems.put("", problem(folder.toString(), unreadable));
      return new Seen(before, problems); // all keep what they had
    }
    FolderContent content = new FolderContent(files);
    content
        .doubles()
        .forEach(
            (path, what) ->
                problems.put(path, Failure.of(source, "read", ErrorKind.ALREADY_EXISTS, what)));
    return new Seen(content, problems);
  }

  private SortedSet<Path> names() throws IOException {
    SortedSet<Path> names = new TreeSet<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
      for (Path file : all) {
        String name = file.getFileName().toString();
        if (!name.startsWith(".")
            && Document.Format.of(name).isPresent()
            && Files.isRegularFile(file)) {
          names.add(file);
        }
      }
    }
    return names;
  }

  private static byte[] bytes(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(FolderText.LIMITS.bytes() + 1);
    }
  }

  private Failure problem(String what, Exception wrong) {
    ErrorKind kind =
        wrong instanceof InvalidInputException ? ErrorKind.INVALID : ErrorKind.UNAVAILABLE;
    String message =
        wrong instanceof InvalidInputException
            ? wrong.getMessage() + "; its last good content counts"
            : what + " cannot be read (" + wrong + "); what was there before counts";
    return Failure.of(source, "read", kind, message);
  }
}
