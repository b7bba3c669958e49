package dev.evenkeel.hostpath;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Removes trees that strangers have written into. Every step goes through an open directory and
 * never follows a link, so that a link inside a volume, or one put there meanwhile, leads nowhere.
 * Deep trees are cut into pieces instead of being descended, so that no tree is too deep.
 */
final class Trees {
  private static final int DEPTH = 64;
  private static final int PASSES = 10_000;

  private Trees() {}

  @SuppressWarnings("StreamResourceLeak") // it is the caller who closes it
  static SecureDirectoryStream<Path> open(Path directory) throws IOException {
    DirectoryStream<Path> stream = Files.newDirectoryStream(directory);
    if (stream instanceof SecureDirectoryStream<Path> secure) {
      return secure;
    }
    stream.close();
    throw new IOException("cannot walk " + directory + " without following links");
  }

  /** Removes what has that name in a directory of ours; absent is fine. Tells if it was there. */
  static boolean remove(Path directory, String name) throws IOException {
    Path entry = Path.of(name);
    try (SecureDirectoryStream<Path> parent = open(directory)) {
      if (!isThere(parent, entry)) {
        return false;
      }
      if (!attributes(parent, entry).isDirectory()) {
        parent.deleteFile(entry);
        return true;
      }
      for (int pass = 0; pass < PASSES; pass++) {
        try (SecureDirectoryStream<Path> top =
            parent.newDirectoryStream(entry, LinkOption.NOFOLLOW_LINKS)) {
          new Remover(top).empty(top, 1);
        }
        if (removedEmpty(parent, entry)) {
          return true;
        }
      }
      throw new DirectoryNotEmptyException(directory.resolve(name).toString());
    }
  }

  /** False when it holds something again: pieces of a deep tree, or what a writer has put there. */
  private static boolean removedEmpty(SecureDirectoryStream<Path> parent, Path entry)
      throws IOException {
    try {
      parent.deleteDirectory(entry);
      return true;
    } catch (DirectoryNotEmptyException e) {
      return false;
    }
  }

  static BasicFileAttributes attributes(SecureDirectoryStream<Path> directory, Path name)
      throws IOException {
    return directory
        .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .readAttributes();
  }

  private static boolean isThere(SecureDirectoryStream<Path> directory, Path name)
      throws IOException {
    try {
      BasicFileAttributes unused = attributes(directory, name);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static final class Remover {
    private final SecureDirectoryStream<Path> top;
    private int pieces;

    Remover(SecureDirectoryStream<Path> top) {
      this.top = top;
    }

    void empty(SecureDirectoryStream<Path> directory, int depth) throws IOException {
      try {
        for (Path entry : directory) {
          remove(directory, entry.getFileName(), depth);
        }
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
    }

    private void remove(SecureDirectoryStream<Path> directory, Path name, int depth)
        throws IOException {
      if (!attributes(directory, name).isDirectory()) {
        directory.deleteFile(name);
      } else if (depth >= DEPTH) {
        directory.move(name, top, freeName());
      } else {
        try (SecureDirectoryStream<Path> inner =
            directory.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
          empty(inner, depth + 1);
        }
        directory.deleteDirectory(name);
      }
    }

    private Path freeName() throws IOException {
      Path name = Path.of(".piece-" + pieces++);
      while (isThere(top, name)) {
        name = Path.of(".piece-" + pieces++);
      }
      return name;
    }
  }
}
