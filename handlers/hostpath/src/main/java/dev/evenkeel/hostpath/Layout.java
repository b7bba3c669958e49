package dev.evenkeel.hostpath;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.InvalidInputException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Where things are: {@code images/NAME} is a whole image, {@code tmp/NAME} one that is being made,
 * {@code trash/NAME} one that is being removed. An image is a directory with {@code data}, {@code
 * info} and {@code metadata} in it, so that one rename makes all of it appear or vanish.
 */
final class Layout {
  static final String DATA = "data";

  /** Names that can neither leave the root nor be mistaken for an option or a hidden file. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

  private static final String FORMAT = "format";

  /** What may be in a root; the last is what a fresh file system has. */
  private static final List<String> KNOWN =
      List.of("images", "tmp", "trash", FORMAT, FORMAT + ".new", "lost+found");

  private static final String FORMAT_LINE = "evenkeel-hostpath 1";

  final Path root;
  final Path images;
  final Path tmp;
  final Path trash;
  private final boolean durable;

  private Layout(Path root, boolean durable) {
    this.root = root;
    this.durable = durable;
    images = root.resolve("images");
    tmp = root.resolve("tmp");
    trash = root.resolve("trash");
  }

  static Layout open(Path where, boolean durable) {
    try {
      Files.createDirectories(where);
      Layout layout = new Layout(where.toRealPath(), durable);
      layout.claim();
      return layout;
    } catch (IOException e) {
      throw Errors.of("cannot use " + where + " for volumes", e);
    }
  }

  private void claim() throws IOException {
    for (String name : names(root)) {
      if (!KNOWN.contains(name)) {
        throw new EvenkeelException(
            ErrorKind.FAILED_PRECONDITION,
            root + " holds " + name + ", which is not ours: give an empty directory");
      }
    }
    for (Path directory : List.of(images, tmp, trash)) {
      if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
        Files.createDirectory(directory);
      }
    }
    Path format = root.resolve(FORMAT);
    if (Files.exists(format, LinkOption.NOFOLLOW_LINKS)) {
      String found = Files.readString(format, StandardCharsets.UTF_8).strip();
      if (!found.equals(FORMAT_LINE)) {
        throw new EvenkeelException(
            ErrorKind.FAILED_PRECONDITION,
            root + " was written by another version: wanted " + FORMAT_LINE);
      }
    }
    replace(format, FORMAT_LINE + "\n"); // also shows that the root can be written
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(images)) {
      if (!(stream instanceof SecureDirectoryStream)) {
        throw new EvenkeelException(
            ErrorKind.UNIMPLEMENTED,
            "the file system of " + root + " cannot be walked without following links");
      }
    }
  }

  /** Gives an image's name back, or throws: checked again here whatever others have checked. */
  static String check(String image) {
    if (!isName(image)) {
      throw InvalidInputException.of(
          "image", "name", image, "must be 1 to 128 letters, digits, dots, dashes, underscores");
    }
    return image;
  }

  static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  Path image(String name) {
    return images.resolve(check(name));
  }

  Path temporary(String name) {
    return tmp.resolve(check(name));
  }

  Path trashed(String name) {
    return trash.resolve(check(name));
  }

  static boolean isThere(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  /** Names in a directory, in order. */
  static List<String> names(Path directory) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
    } catch (java.nio.file.DirectoryIteratorException e) {
      throw e.getCause();
    }
    names.sort(null);
    return names;
  }

  /** Moves a directory, durably, at one moment. */
  void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    sync(parentOf(to));
    sync(parentOf(from));
  }

  /** Replaces a small text file at one moment. */
  void replace(Path file, String text) throws IOException {
    Path fresh = parentOf(file).resolve(file.getFileName() + ".new");
    Files.writeString(fresh, text, StandardCharsets.UTF_8);
    sync(fresh);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    sync(parentOf(file));
  }

  /** Forces a file or a directory to the disk. */
  void sync(Path path) throws IOException {
    if (durable) {
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  private static Path parentOf(Path path) {
    Path parent = path.getParent();
    if (parent == null) {
      throw new IllegalStateException("no directory holds " + path);
    }
    return parent;
  }
}
