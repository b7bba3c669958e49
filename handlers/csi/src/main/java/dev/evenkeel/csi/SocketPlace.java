package dev.evenkeel.csi;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The place of a unix socket. Binding removes whatever is there, so that is looked at first: a
 * server that lives keeps its socket, a file that is none is left alone. The socket is bound in a
 * directory that nobody else may enter, gets its mode, and is moved to its place: at no moment can
 * others connect.
 */
final class SocketPlace implements AutoCloseable {
  private final Path path;
  private final FileChannel channel;
  private final FileLock lock;
  private final Path room;

  private SocketPlace(Path path, FileChannel channel, FileLock lock, Path room) {
    this.path = path;
    this.channel = channel;
    this.lock = lock;
    this.room = room;
  }

  /** Takes the place, or says who has it. */
  static SocketPlace take(Path path) throws IOException {
    Path parent = path.getParent();
    if (parent == null || !Files.isDirectory(parent)) {
      throw refused(path, "its directory does not exist");
    }
    FileChannel channel =
        FileChannel.open(
            path.resolveSibling(path.getFileName() + ".lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE);
    boolean good = false;
    try {
      FileLock lock = locked(path, channel);
      look(path);
      Path room = parent.resolve("." + Integer.toHexString(path.getFileName().hashCode()));
      clear(room);
      Files.createDirectory(
          room, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      good = true;
      return new SocketPlace(path, channel, lock, room);
    } finally {
      if (!good) {
        channel.close();
      }
    }
  }

  private static FileLock locked(Path path, FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return lock;
      }
    } catch (OverlappingFileLockException ours) {
      // this process has it
    }
    throw refused(path, "another driver serves there");
  }

  /** What an earlier driver has left is removed; anything else stays. */
  private static void look(Path path) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!Files.readAttributes(
            path, java.nio.file.attribute.BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .isOther()) {
      throw refused(path, "it is no socket, and is left alone");
    }
    try {
      SocketChannel.open(UnixDomainSocketAddress.of(path)).close();
      throw refused(path, "somebody answers there");
    } catch (ConnectException stale) {
      Files.delete(path);
    }
  }

  private static EvenkeelException refused(Path path, String why) {
    return new EvenkeelException(
        ErrorKind.FAILED_PRECONDITION, "the socket " + path + " cannot be used: " + why);
  }

  /** Where to bind. */
  Path inside() {
    return room.resolve("s");
  }

  /** It is bound: gives it its mode, and shows it. */
  void show() throws IOException {
    Files.setPosixFilePermissions(inside(), PosixFilePermissions.fromString("rw-------"));
    Files.move(inside(), path, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void clear(Path room) throws IOException {
    Files.deleteIfExists(room.resolve("s"));
    Files.deleteIfExists(room);
  }

  /** Removes the socket, then lets others have the place. */
  @Override
  public void close() throws IOException {
    Files.deleteIfExists(path);
    clear(room);
    lock.release();
    channel.close();
  }
}
