package dev.evenkeel.store.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.datastore.DatastoreException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.CompressionType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The native database, and the one place that touches it. Reads from any thread, writes from the
 * store's writer alone. Whoever uses it holds the shared lock, so that closing waits for them: a
 * closed handle ends the whole process.
 *
 * <p>Inside it, {@code k} and a path lead to an {@link Entry}, {@code m} and a name to a number.
 */
final class Rocks implements AutoCloseable {
  private static final byte[] REVISION = "mrevision".getBytes(UTF_8);
  private static final byte[] EPOCH = "mepoch".getBytes(UTF_8);

  private final Path folder;
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final LRUCache cache;
  private final Options options;
  private final WriteOptions synced;
  private @Nullable RocksDB db;

  /** What is there at one moment. */
  record Page(SortedMap<String, Entry> entries, long revision) {}

  Rocks(Path folder) {
    this.folder = folder;
    NativeCode.load();
    // Small machines first: about 20 MB at most, one thread in the background, quick to open.
    this.cache = new LRUCache(8 << 20);
    this.options =
        new Options()
            .setCreateIfMissing(true)
            .setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(cache))
            .setCompressionType(CompressionType.LZ4_COMPRESSION)
            .setWriteBufferSize(4 << 20)
            .setMaxWriteBufferNumber(2)
            .setMaxTotalWalSize(16 << 20)
            .setMaxBackgroundJobs(2)
            .setMaxOpenFiles(128)
            .setAvoidFlushDuringShutdown(true)
            .setAvoidFlushDuringRecovery(true)
            .setSkipStatsUpdateOnDbOpen(true)
            .setStatsDumpPeriodSec(0)
            .setStatsPersistPeriodSec(0)
            .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
            .setMaxLogFileSize(1 << 20)
            .setKeepLogFileNum(2);
    this.synced = new WriteOptions().setSync(true);
    try {
      this.db = RocksDB.open(options, folder.toString());
    } catch (RocksDBException failed) {
      closeOptions();
      throw failure("cannot be opened", failed);
    }
  }

  long revision() {
    // A new store has revision 1, as 0 is reserved for "from scratch".
    return Math.max(1, number(REVISION));
  }

  Epoch epoch() {
    return new Epoch(number(EPOCH));
  }

  Optional<Entry> find(String path) {
    return shared(
        open -> {
          byte[] stored = open.get(key(path));
          return stored == null ? Optional.empty() : Optional.of(Entry.of(stored));
        });
  }

  /** What begins with a text, by path, and the revision at that moment. */
  Page beginningWith(String root) {
    return shared(
        open -> {
          Snapshot snapshot = open.getSnapshot();
          try (ReadOptions read = new ReadOptions().setSnapshot(snapshot);
              RocksIterator at = open.newIterator(read)) {
            SortedMap<String, Entry> found = new TreeMap<>();
            byte[] from = key(root);
            for (at.seek(from); at.isValid(); at.next()) {
              byte[] here = at.key();
              if (!startsWith(here, from)) {
                break;
              }
              String path = new String(here, 1, here.length - 1, UTF_8);
              found.put(path, Entry.of(at.value()));
            }
            at.status();
            byte[] revision = open.get(read, REVISION);
            return new Page(found, revision == null ? 1 : ByteBuffer.wrap(revision).getLong());
          } finally {
            open.releaseSnapshot(snapshot);
          }
        });
  }

  /** Writes all or nothing, durably. */
  void write(List<Change> changes, long revision, Epoch epoch) {
    this.<Boolean>shared(
        open -> {
          try (WriteBatch batch = new WriteBatch()) {
            for (Change change : changes) {
              if (change.after().isPresent()) {
                batch.put(key(change.path()), change.after().get().stored());
              } else {
                batch.delete(key(change.path()));
              }
            }
            batch.put(REVISION, number(revision));
            batch.put(EPOCH, number(epoch.number()));
            open.write(synced, batch);
            return true;
          }
        });
  }

  /** Closes and opens it again: after a failed write RocksDB refuses all others. */
  void reopen() {
    lock.writeLock().lock();
    try {
      if (db != null) {
        db.close();
        db = null;
      }
      db = RocksDB.open(options, folder.toString());
    } catch (RocksDBException failed) {
      throw failure("cannot be opened again", failed);
    } finally {
      lock.writeLock().unlock();
    }
  }

  boolean isOpen() {
    lock.readLock().lock();
    try {
      return db != null;
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      if (db != null) {
        db.close();
        db = null;
      }
      closeOptions();
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void closeOptions() {
    synced.close();
    options.close();
    cache.close();
  }

  private long number(byte[] key) {
    return shared(
        open -> {
          byte[] stored = open.get(key);
          return stored == null ? 0L : ByteBuffer.wrap(stored).getLong();
        });
  }

  private interface Use<T> {
    T of(RocksDB open) throws RocksDBException;
  }

  private <T> T shared(Use<T> use) {
    lock.readLock().lock();
    try {
      RocksDB open = db;
      if (open == null) {
        throw new EvenkeelException(ErrorKind.UNAVAILABLE, "the local store is closed");
      }
      return use.of(open);
    } catch (RocksDBException failed) {
      throw failure("has failed", failed);
    } finally {
      lock.readLock().unlock();
    }
  }

  private DatastoreException failure(String what, RocksDBException failed) {
    Status status = failed.getStatus();
    String text = "the local store " + folder + " " + what;
    if (status != null && status.getCode() == Status.Code.Corruption) {
      return new DatastoreException(
          ErrorKind.INTERNAL, folder.toString(), text + ": its files are damaged", failed);
    }
    Supplier<String> said = () -> String.valueOf(failed.getMessage());
    boolean full = status != null && status.getSubCode() == Status.SubCode.NoSpace;
    return StoreDirectory.failure(
        folder.toString(), text, full ? "No space left on device" : said.get(), failed);
  }

  private static byte[] key(String path) {
    byte[] utf8 = path.getBytes(UTF_8);
    byte[] key = new byte[utf8.length + 1];
    key[0] = 'k';
    System.arraycopy(utf8, 0, key, 1, utf8.length);
    return key;
  }

  private static boolean startsWith(byte[] key, byte[] prefix) {
    return key.length >= prefix.length
        && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }

  private static byte[] number(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }
}
