package dev.evenkeel.store.local;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Capability;
import dev.evenkeel.api.datastore.Codecs;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.Guard;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.KeyValueList;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Syncer;
import dev.evenkeel.api.datastore.SyncerCallbacks;
import dev.evenkeel.api.datastore.SyncerOptions;
import dev.evenkeel.api.datastore.Watch;
import dev.evenkeel.api.datastore.Write;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The embedded datastore: a folder on this machine, in RocksDB, for one process at a time. Opened
 * and closed by the program that owns it; any thread.
 *
 * <p>A write is acknowledged when it is durable; writes that wait are made durable together by one
 * thread, which also completes their stages: do not block it. Reads are done on the caller's
 * thread, out of memory or a file. Watches follow the changes of this process. Old states are not
 * kept, and values do not expire: such calls are {@link DatastoreException.NotSupported}.
 *
 * <p>A disk that is nearly full refuses writes with {@link ErrorKind#RESOURCE_EXHAUSTED} before it
 * is full, so that what has been taken can be finished.
 */
public final class LocalDatastore implements Datastore {
  private static final int MOST_WRITES = 4_096;
  private static final int MOST_WATCHES = 1_000;
  private static final Set<Capability> ABLE =
      Collections.unmodifiableSet(
          EnumSet.of(
              Capability.ATOMIC_BATCH,
              Capability.ORDERED_WATCH,
              Capability.FENCED,
              Capability.DURABLE));

  private final StoreDirectory directory;
  private final Codecs codecs;
  private final Rocks rocks;
  private final ChangeLog log;
  private final Writer writer;
  private final List<LocalWatch<?>> watches = new CopyOnWriteArrayList<>();
  private final List<Syncer> syncers = new CopyOnWriteArrayList<>();
  private final ThreadPoolExecutor watchers;
  private final Object lifecycle = new Object();
  private boolean closed;

  private LocalDatastore(StoreDirectory directory, Codecs codecs, Rocks rocks, DiskSpace space) {
    this.directory = directory;
    this.codecs = codecs;
    this.rocks = rocks;
    this.log = new ChangeLog(rocks.revision());
    this.watchers =
        new ThreadPoolExecutor(
            0,
            2 * MOST_WATCHES,
            1,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> {
              Thread thread = new Thread(task, "evenkeel-local-watch");
              thread.setDaemon(true);
              return thread;
            });
    this.writer =
        new Writer(rocks, log, space, () -> watches.forEach(LocalWatch::wake), System::nanoTime);
  }

  /**
   * Opens the store in a folder, and makes it when there is none.
   *
   * @throws EvenkeelException of kind {@code FAILED_PRECONDITION} when somebody has it open, when a
   *     newer build has written it, or when the folder holds something else; {@code INVALID} when
   *     it is not a folder; {@code UNAUTHORIZED} when it may not be written; {@code
   *     RESOURCE_EXHAUSTED} when the disk is full; {@code INTERNAL} when its files are damaged
   */
  public static LocalDatastore open(Path folder, Codecs codecs) {
    return open(folder, codecs, DiskSpace.USUAL);
  }

  /** With that much of the disk to be left free; 0 for tests of a disk that is really full. */
  static LocalDatastore open(Path folder, Codecs codecs, long headroom) {
    StoreDirectory directory = StoreDirectory.open(folder);
    Rocks rocks = null;
    LocalDatastore opened = null;
    try {
      DiskSpace space = new DiskSpace(directory.folder(), headroom);
      rocks = new Rocks(directory.database());
      opened = new LocalDatastore(directory, codecs, rocks, space);
      return opened;
    } finally {
      if (opened == null) {
        if (rocks != null) {
          rocks.close();
        }
        directory.close();
      }
    }
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> create(KeyValue<V> pair, Call call) {
    Key<V> key = pair.key();
    return write(
        key.path(),
        () -> {
          byte[] value = encoded("create", pair);
          return writer.submit(
              key.path(),
              call,
              draft -> {
                Optional<Entry> there = draft.find(key.path());
                if (there.isPresent()) {
                  throw new DatastoreException.AlreadyExists(key.path(), known(key, there));
                }
                return put(draft, pair, value);
              });
        });
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> update(KeyValue<V> pair, Call call) {
    Key<V> key = pair.key();
    return write(
        key.path(),
        () -> {
          byte[] value = encoded("update", pair);
          OptionalLong wanted = number(pair.revision());
          return writer.submit(
              key.path(),
              call,
              draft -> {
                Optional<Entry> there = draft.find(key.path());
                if (there.isEmpty()) {
                  throw new DatastoreException.DoesNotExist(key.path());
                }
                checkRevision(key, there, wanted);
                return put(draft, pair, value);
              });
        });
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> apply(KeyValue<V> pair, Call call) {
    Key<V> key = pair.key();
    return write(
        key.path(),
        () -> {
          byte[] value = encoded("apply", pair);
          OptionalLong wanted = number(pair.revision());
          return writer.submit(
              key.path(),
              call,
              draft -> {
                checkRevision(key, draft.find(key.path()), wanted);
                return put(draft, pair, value);
              });
        });
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> delete(Key<V> key, Revision revision, Call call) {
    return write(
        key.path(),
        () -> {
          OptionalLong wanted = number(revision);
          return writer.submit(
              key.path(), call, draft -> remove(draft, key, wanted, Optional.empty()));
        });
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> deleteKvp(KeyValue<V> pair, Call call) {
    Key<V> key = pair.key();
    return write(
        key.path(),
        () -> {
          OptionalLong wanted = number(pair.revision());
          return writer.submit(key.path(), call, draft -> remove(draft, key, wanted, pair.uid()));
        });
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> get(Key<V> key, Revision revision, Call call) {
    return read(
        call,
        () -> {
          checkLatest("get", key.path(), revision);
          return rocks
              .find(key.path())
              .orElseThrow(() -> new DatastoreException.DoesNotExist(key.path()))
              .pair(key, codecs);
        });
  }

  @Override
  public <V> CompletionStage<KeyValueList<V>> list(
      ListOptions<V> options, Revision revision, Call call) {
    return read(
        call,
        () -> {
          checkLatest("list", options.root(), revision);
          Rocks.Page page = rocks.beginningWith(options.root());
          List<KeyValue<V>> items = new ArrayList<>();
          page.entries()
              .forEach(
                  (path, entry) ->
                      options
                          .match(path)
                          .flatMap(key -> entry.tryPair(key, codecs))
                          .ifPresent(items::add));
          return new KeyValueList<>(items, Entry.revision(page.revision()));
        });
  }

  @Override
  public CompletionStage<Revision> commit(List<Guard> guards, List<Write> writes, Call call) {
    String about = writes.isEmpty() ? "" : writes.get(0).key().path();
    return write(
        about,
        () -> {
          Map<String, byte[]> values = encoded(guards, writes);
          List<Write> ordered = List.copyOf(writes);
          List<Guard> checked = List.copyOf(guards);
          return writer.submit(
              about,
              call,
              draft -> {
                checked.forEach(guard -> check(draft, guard));
                if (ordered.isEmpty()) {
                  return Entry.revision(draft.revision());
                }
                long revision = draft.next();
                for (Write write : ordered) {
                  String path = write.key().path();
                  byte[] value = values.get(path);
                  if (value == null) {
                    draft.remove(path);
                  } else {
                    var unused = draft.put(path, value);
                  }
                }
                return Entry.revision(revision);
              });
        });
  }

  @Override
  public <V> Watch watch(ListOptions<V> options, Revision revision, Watch.Observer<V> observer) {
    OptionalLong from = number(revision);
    boolean fromScratch = from.isEmpty() || from.getAsLong() == 0;
    LocalWatch<V> watch;
    synchronized (lifecycle) {
      checkOpen();
      if (watches.size() >= MOST_WATCHES) {
        throw new EvenkeelException(
            ErrorKind.RESOURCE_EXHAUSTED, "more than " + MOST_WATCHES + " watches");
      }
      List<Change> now = new ArrayList<>();
      long cursor = from.orElse(0);
      if (fromScratch) {
        Rocks.Page page = rocks.beginningWith(options.root());
        page.entries()
            .forEach(
                (path, entry) ->
                    now.add(
                        new Change(entry.modified, path, Optional.empty(), Optional.of(entry))));
        cursor = page.revision();
      }
      watch = new LocalWatch<>(options, observer, codecs, new History(), watchers, cursor, now);
      watches.add(watch);
    }
    watch.wake();
    return watch;
  }

  @Override
  public CompletionStage<Void> ensureInitialized(Call call) {
    return read(call, rocks::revision).thenAccept(ready -> {});
  }

  @Override
  public CompletionStage<Void> clean(Call call) {
    return write(
            "/",
            () ->
                writer.submit(
                    "/",
                    call,
                    draft -> {
                      List<String> all = new ArrayList<>(draft.beginningWith("").keySet());
                      if (!all.isEmpty()) {
                        var unused = draft.next();
                        all.forEach(draft::remove);
                      }
                      return Boolean.TRUE;
                    }))
        .thenAccept(done -> {});
  }

  @Override
  public Set<Capability> capabilities() {
    return ABLE;
  }

  @Override
  public Syncer syncer(SyncerOptions options, SyncerCallbacks callbacks) {
    Syncer inner = Datastore.super.syncer(options, callbacks);
    Syncer tracked =
        new Syncer() {
          @Override
          public void start() {
            inner.start();
          }

          @Override
          public void stop() {
            syncers.remove(this);
            inner.stop();
          }
        };
    syncers.add(tracked);
    return tracked;
  }

  @Override
  public void close() {
    syncers.forEach(Syncer::stop);
    synchronized (lifecycle) {
      if (closed) {
        return;
      }
      closed = true;
    }
    writer.close();
    watches.forEach(LocalWatch::close);
    watchers.shutdown();
    awaitWatchers();
    rocks.close();
    directory.close();
  }

  /** For tests: bytes behind the codec's back. */
  void putRaw(String path, byte[] value) {
    var unused =
        writer
            .submit(
                path,
                Call.usual(),
                draft -> {
                  var revision = draft.next();
                  return draft.put(path, value).modified == revision;
                })
            .join();
  }

  /** For tests: as if so much had changed that nothing of it is kept. */
  void forgetChanges() {
    log.skip(rocks.revision());
  }

  /** An observer that holds its watch up is interrupted after a while. */
  private void awaitWatchers() {
    try {
      if (!watchers.awaitTermination(2, TimeUnit.SECONDS)) {
        var unused = watchers.shutdownNow();
      }
    } catch (InterruptedException hurry) {
      var unused = watchers.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  private <T> CompletionStage<T> read(Call call, Supplier<T> body) {
    try {
      if (call.isCancelled()) {
        throw new EvenkeelException(ErrorKind.CANCELLED, "the call was called off");
      }
      return CompletableFuture.completedFuture(body.get());
    } catch (EvenkeelException refused) {
      return CompletableFuture.failedFuture(refused);
    }
  }

  /** What is wrong with the input is found before the writer sees it. */
  private static <T> CompletionStage<T> write(
      String about, Supplier<CompletableFuture<T>> submission) {
    try {
      return submission.get();
    } catch (EvenkeelException refused) {
      return CompletableFuture.failedFuture(refused);
    } catch (RuntimeException odd) {
      return CompletableFuture.failedFuture(
          DatastoreException.failed(about, "the value cannot be encoded", odd));
    }
  }

  private <V> byte[] encoded(String verb, KeyValue<V> pair) {
    if (pair.ttl().isPresent()) {
      throw new DatastoreException.NotSupported(
          verb, pair.key().path(), "values here do not expire");
    }
    V value =
        pair.value()
            .orElseThrow(
                () ->
                    InvalidInputException.of(
                        verb + " of " + pair.key().path(), "value", "", "is missing"));
    return codecs.toBytes(pair.key().type(), value);
  }

  private Map<String, byte[]> encoded(List<Guard> guards, List<Write> writes) {
    if (writes.size() > MOST_WRITES || guards.size() > MOST_WRITES) {
      throw InvalidInputException.of(
          "commit", "writes", "", "must be at most " + MOST_WRITES + " writes and guards");
    }
    Map<String, byte[]> values = new HashMap<>();
    Set<String> seen = new TreeSet<>();
    for (Write write : writes) {
      String path = write.key().path();
      if (!seen.add(path)) {
        throw InvalidInputException.of("commit", path, "", "must be written once at most");
      }
      if (write instanceof Write.Put<?> put) {
        values.put(path, encoded(put));
      }
    }
    for (Guard guard : guards) {
      if (guard instanceof Guard.At at) {
        var unused = number(at.revision());
      }
    }
    return values;
  }

  private <V> byte[] encoded(Write.Put<V> put) {
    KeyType<V> type = put.key().type();
    return codecs.toBytes(type, put.value());
  }

  private static <V> KeyValue<V> put(Draft draft, KeyValue<V> pair, byte[] value) {
    var unused = draft.next();
    return draft.put(pair.key().path(), value).pair(pair.key(), pair.value());
  }

  private <V> KeyValue<V> remove(
      Draft draft, Key<V> key, OptionalLong wanted, Optional<String> uid) {
    Optional<Entry> own = draft.find(key.path());
    TreeSet<String> leaves = new TreeSet<>();
    if (!key.deletePath().equals(key.path())) {
      leaves.addAll(inside(draft, key.deletePath()));
    }
    own.ifPresent(entry -> leaves.add(key.path()));
    boolean conditional = wanted.isPresent() || uid.isPresent();
    boolean another = uid.isPresent() && !uid.equals(own.map(Entry::uid));
    if (leaves.isEmpty() || another || (own.isEmpty() && conditional)) {
      throw new DatastoreException.DoesNotExist(key.path());
    }
    checkRevision(key, own, wanted);
    var unused = draft.next();
    leaves.forEach(draft::remove);
    for (Key<?> parent : key.parents()) {
      if (!inside(draft, parent.deletePath()).stream().allMatch(parent.path()::equals)) {
        break;
      }
      draft.remove(parent.path());
    }
    KeyValue<V> nothing =
        new KeyValue<>(key, Optional.empty(), Revision.NONE, Optional.empty(), Optional.empty());
    return own.map(entry -> entry.tryPair(key, codecs).orElse(entry.pair(key, Optional.<V>empty())))
        .orElse(nothing);
  }

  private static Set<String> inside(Draft draft, String folder) {
    return draft.beginningWith(folder.endsWith("/") ? folder : folder + "/").keySet();
  }

  private void check(Draft draft, Guard guard) {
    if (guard instanceof Guard.Leader leader) {
      draft.checkEpoch("", leader.epoch());
    } else if (guard instanceof Guard.At at) {
      Optional<Entry> there = draft.find(at.key().path());
      OptionalLong wanted = number(at.revision());
      require(
          at.key(),
          there,
          there.isPresent() && wanted.equals(OptionalLong.of(there.get().modified)));
    } else if (guard instanceof Guard.Absent absent) {
      Optional<Entry> there = draft.find(absent.key().path());
      require(absent.key(), there, there.isEmpty());
    } else if (guard instanceof Guard.Exists exists) {
      Optional<Entry> there = draft.find(exists.key().path());
      require(exists.key(), there, there.isPresent());
    }
  }

  private void checkRevision(Key<?> key, Optional<Entry> there, OptionalLong wanted) {
    require(
        key,
        there,
        wanted.isEmpty() || (there.isPresent() && there.get().modified == wanted.getAsLong()));
  }

  private void require(Key<?> key, Optional<Entry> there, boolean holds) {
    if (!holds) {
      throw new DatastoreException.UpdateConflict(key.path(), known(key, there));
    }
  }

  private Optional<KeyValue<?>> known(Key<?> key, Optional<Entry> there) {
    return there.flatMap(entry -> entry.tryPair(key, codecs)).map(pair -> pair);
  }

  private static void checkLatest(String verb, String path, Revision revision) {
    OptionalLong at = number(revision);
    if (at.isPresent() && at.getAsLong() != 0) {
      throw new DatastoreException.NotSupported(verb, path, "old states are not kept here");
    }
  }

  private static OptionalLong number(Revision revision) {
    if (!revision.isGiven()) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseUnsignedLong(revision.text()));
    } catch (NumberFormatException odd) {
      throw InvalidInputException.of(
          "datastore call", "revision", revision.text(), "must be one that this store gave");
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new EvenkeelException(ErrorKind.UNAVAILABLE, "the local store is closed");
    }
  }

  /** What a watch reads. */
  private final class History implements LocalWatch.Source {
    @Override
    public List<Change> after(String about, long revision, int most) {
      return log.after(about, revision, most);
    }

    @Override
    public void ended(LocalWatch<?> watch) {
      watches.remove(watch);
    }
  }
}
