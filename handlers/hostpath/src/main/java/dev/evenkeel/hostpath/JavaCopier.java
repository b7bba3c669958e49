package dev.evenkeel.hostpath;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Copies block by block, leaving out blocks of zeros, so that a sparse file stays sparse. The
 * source is walked through open directories and no link is followed, since strangers may write in
 * it; the target is a place that only we know.
 */
final class JavaCopier implements Copier {
  private static final int BLOCK = 64 * 1024;
  private static final int DEEPEST = 250;
  private static final Set<OpenOption> READ =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

  private final boolean durable;

  JavaCopier(boolean durable) {
    this.durable = durable;
  }

  @Override
  public String describe() {
    return "copied byte by byte";
  }

  @Override
  public void copy(Path from, String name, Path to, BooleanSupplier cancelled) throws IOException {
    try (SecureDirectoryStream<Path> parent = Trees.open(from)) {
      new Walk(cancelled).entry(parent, Path.of(name), from.resolve(name), to, 0);
    }
  }

  private final class Walk {
    private final BooleanSupplier cancelled;
    private final ByteBuffer block = ByteBuffer.allocate(BLOCK);

    Walk(BooleanSupplier cancelled) {
      this.cancelled = cancelled;
    }

    void entry(SecureDirectoryStream<Path> in, Path name, Path path, Path to, int depth)
        throws IOException {
      checkCancelled(path);
      PosixFileAttributes attributes =
          in.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
              .readAttributes();
      if (attributes.isSymbolicLink()) {
        Files.createSymbolicLink(to, Files.readSymbolicLink(path));
        return;
      }
      if (attributes.isDirectory()) {
        directory(in, name, path, to, depth);
      } else if (attributes.isRegularFile()) {
        file(in, name, to);
      } else {
        throw new EvenkeelException(
            ErrorKind.UNIMPLEMENTED, path + " is neither file, directory nor link: not copied");
      }
      attributes(attributes, to);
      sync(to);
    }

    private void directory(SecureDirectoryStream<Path> in, Path name, Path path, Path to, int depth)
        throws IOException {
      if (depth >= DEEPEST) {
        throw new EvenkeelException(
            ErrorKind.RESOURCE_EXHAUSTED, path + " is nested deeper than " + DEEPEST);
      }
      Files.createDirectory(to);
      try (SecureDirectoryStream<Path> inner =
          in.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
        for (Path child : inner) {
          Path last = child.getFileName();
          entry(inner, last, path.resolve(last), to.resolve(last), depth + 1);
        }
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
    }

    private void file(SecureDirectoryStream<Path> in, Path name, Path to) throws IOException {
      try (SeekableByteChannel source = in.newByteChannel(name, READ);
          FileChannel target =
              FileChannel.open(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        long position = 0;
        while (fill(source)) {
          checkCancelled(to);
          int length = block.remaining();
          if (!zeros(block)) {
            for (long at = position; block.hasRemaining(); ) {
              at += target.write(block, at);
            }
          }
          position += length;
        }
        Lengths.set(target, position);
      }
    }

    /** Reads the next block; false at the end. */
    private boolean fill(SeekableByteChannel source) throws IOException {
      block.clear();
      while (block.hasRemaining() && source.read(block) >= 0) {
        // a short read is no end
      }
      block.flip();
      return block.hasRemaining();
    }

    private void checkCancelled(Path where) {
      if (cancelled.getAsBoolean()) {
        throw new EvenkeelException(ErrorKind.CANCELLED, "copying stopped at " + where);
      }
    }
  }

  private static boolean zeros(ByteBuffer block) {
    for (int i = block.position(); i < block.limit(); i++) {
      if (block.get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  private static void attributes(PosixFileAttributes from, Path to) throws IOException {
    PosixFileAttributeView view =
        Files.getFileAttributeView(to, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    if (!view.readAttributes().owner().equals(from.owner())) {
      view.setOwner(from.owner());
    }
    if (!view.readAttributes().group().equals(from.group())) {
      view.setGroup(from.group());
    }
    Files.setPosixFilePermissions(to, from.permissions());
    Files.getFileAttributeView(to, BasicFileAttributeView.class)
        .setTimes(from.lastModifiedTime(), from.lastAccessTime(), null);
  }

  private void sync(Path path) throws IOException {
    if (durable) {
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }
}
