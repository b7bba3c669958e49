package dev.evenkeel.store.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.datastore.DatastoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The folder of a store: {@code lock}, held while the store is open and naming its holder; {@code
 * FORMAT}, written whole before anything else; {@code db}. Only these names are touched.
 */
final class StoreDirectory implements AutoCloseable {
  static final int FORMAT = 1;
  private static final String TITLE = "evenkeel-local-store ";

  // A lock file must not even be opened twice in one process: closing it again would free the lock.
  private static final Set<Path> HELD = new HashSet<>();

  private final Path folder;
  private final FileChannel channel;
  private final FileLock lock;

  private StoreDirectory(Path folder, FileChannel channel, FileLock lock) {
    this.folder = folder;
    this.channel = channel;
    this.lock = lock;
  }

  /** Makes the folder when there is none, locks it, and checks or writes its format. */
  static StoreDirectory open(Path wanted) {
    Path folder = made(wanted);
    claim(folder);
    StoreDirectory locked = null;
    boolean good = false;
    try {
      locked = locked(folder);
      locked.checkFormat();
      locked.makeDatabase();
      good = true;
      return locked;
    } catch (IOException failed) {
      throw refused(folder, failed);
    } finally {
      if (!good) {
        if (locked == null) {
          release(folder);
        } else {
          locked.close();
        }
      }
    }
  }

  Path database() {
    return folder.resolve("db");
  }

  Path folder() {
    return folder;
  }

  @Override
  public void close() {
    try {
      lock.release();
      channel.close();
    } catch (IOException failed) {
      throw refused(folder, failed);
    } finally {
      release(folder);
    }
  }

  private static Path made(Path wanted) {
    try {
      var owner =
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
      make(wanted.toAbsolutePath(), owner);
      return wanted.toRealPath();
    } catch (FileAlreadyExistsException file) {
      throw new DatastoreException(
          ErrorKind.INVALID, wanted.toString(), wanted + " is not a directory", file);
    } catch (IOException failed) {
      throw refused(wanted, failed);
    }
  }

  /** A directory is there for good when the one that it is in has been forced to the disk. */
  private static void make(Path folder, FileAttribute<?> owner) throws IOException {
    Path parent = folder.getParent();
    if (parent == null || Files.isDirectory(folder)) {
      return;
    }
    make(parent, owner);
    try {
      Files.createDirectory(folder, owner);
    } catch (FileAlreadyExistsException other) {
      if (!Files.isDirectory(folder)) {
        throw other;
      }
    }
    force(parent);
  }

  private static void force(Path folder) throws IOException {
    try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
      directory.force(true);
    }
  }

  private static void claim(Path folder) {
    synchronized (HELD) {
      if (!HELD.add(folder)) {
        throw inUse(folder, "this process");
      }
    }
  }

  private static void release(Path folder) {
    synchronized (HELD) {
      HELD.remove(folder);
    }
  }

  @SuppressWarnings("resource") // closed by close, or here when the lock is another's
  private static StoreDirectory locked(Path folder) throws IOException {
    FileChannel channel =
        FileChannel.open(
            folder.resolve("lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    boolean good = false;
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw inUse(folder, "another process" + holder(channel));
      }
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(("pid " + ProcessHandle.current().pid()).getBytes(UTF_8)), 0);
      good = true;
      return new StoreDirectory(folder, channel, lock);
    } finally {
      if (!good) {
        channel.close();
      }
    }
  }

  private static String holder(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(32);
    channel.read(text, 0);
    String holder = new String(text.array(), 0, text.position(), UTF_8);
    return holder.matches("pid [0-9]+") ? " (" + holder + ")" : "";
  }

  private void checkFormat() throws IOException {
    Path file = folder.resolve("FORMAT");
    Optional<String> text = read(file);
    if (text.isPresent()) {
      String found = text.get().strip();
      int version =
          found.startsWith(TITLE) && found.substring(TITLE.length()).matches("[0-9]{1,6}")
              ? Integer.parseInt(found.substring(TITLE.length()))
              : 0;
      if (version > FORMAT) {
        throw new DatastoreException.NewerVersion(folder.toString(), version, FORMAT);
      }
      if (version == FORMAT) {
        return;
      }
    }
    if (text.isPresent() || Files.exists(database())) {
      throw new DatastoreException(
          ErrorKind.FAILED_PRECONDITION,
          folder.toString(),
          folder + " holds something else: its file FORMAT does not name a local store",
          null);
    }
    write(file);
  }

  private static Optional<String> read(Path file) throws IOException {
    try {
      return Optional.of(new String(Files.readAllBytes(file), UTF_8));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    }
  }

  private void write(Path file) throws IOException {
    Path fresh = folder.resolve("FORMAT.new");
    try (FileChannel out =
        FileChannel.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      out.write(ByteBuffer.wrap((TITLE + FORMAT + "\n").getBytes(UTF_8)));
      out.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    force(folder);
  }

  /** After the format: a database without one would be somebody else's. */
  private void makeDatabase() throws IOException {
    if (!Files.isDirectory(database())) {
      Files.createDirectory(database());
      force(folder);
    }
  }

  private static DatastoreException inUse(Path folder, String by) {
    return new DatastoreException(
        ErrorKind.FAILED_PRECONDITION,
        folder.toString(),
        "the local store " + folder + " is in use by " + by + ": only one may have it open",
        null);
  }

  static DatastoreException refused(Path folder, IOException failed) {
    String what = "the local store " + folder;
    if (failed instanceof AccessDeniedException) {
      return new DatastoreException(
          ErrorKind.UNAUTHORIZED, folder.toString(), what + " may not be read or written", failed);
    }
    // The message of a file system's exception is little more than the path.
    String reason =
        failed instanceof FileSystemException known
            ? Objects.requireNonNullElse(known.getReason(), "")
            : Objects.requireNonNullElse(failed.getMessage(), "");
    String said = reason.isEmpty() ? failed.getClass().getSimpleName() : reason;
    return failure(folder.toString(), what, said, failed);
  }

  /** By the system's own words, as neither Java nor RocksDB gives more. */
  static DatastoreException failure(String about, String what, String said, Throwable cause) {
    if (said.contains("No space left") || said.contains("quota exceeded")) {
      return new DatastoreException(
          ErrorKind.RESOURCE_EXHAUSTED, about, what + ": the disk is full", cause);
    }
    if (said.contains("Permission denied")
        || said.contains("Read-only file system")
        || said.contains("Operation not permitted")) {
      return new DatastoreException(
          ErrorKind.UNAUTHORIZED, about, what + " may not be read or written: " + said, cause);
    }
    return new DatastoreException(ErrorKind.UNAVAILABLE, about, what + ": " + said, cause);
  }
}
