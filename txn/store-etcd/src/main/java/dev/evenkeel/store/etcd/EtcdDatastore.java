package dev.evenkeel.store.etcd;

import com.google.protobuf.ByteString;
import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.Key;
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
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/**
 * The distributed datastore: pairs below one root of an etcd, version 3.4 or newer. Opened and
 * closed by the program that owns it; any thread; never blocks. Opening does not wait for etcd, and
 * a call while no member can be reached fails with {@link ErrorKind#UNAVAILABLE} at once.
 *
 * <p>A call is one transaction, sent once to whichever member answers: nothing is repeated that may
 * have been done. When the answer to a write is lost (a member dies), what is stored is looked at
 * where that tells: a write without condition, or under an epoch (whose keys have one writer,
 * JT-6), has been done if its value is there. Otherwise it is {@link
 * DatastoreException.PartialFailure}.
 *
 * <p>Old states and watches reach back to etcd's last compaction. A life is granted in whole
 * seconds, rounded up, and etcd has a least one of its own (its election timeout and a half). A
 * write under an epoch is refused by etcd itself, in the same transaction, once a newer epoch of
 * the settings' group is known.
 */
public final class EtcdDatastore implements Datastore {
  private static final int MOST_WATCHES = 1_000;
  private static final int LARGEST_REQUEST = 1_500_000;
  private static final Set<Capability> ABLE =
      Collections.unmodifiableSet(EnumSet.allOf(Capability.class));

  private final EtcdSettings settings;
  private final Codecs codecs;
  private final Connection connection;
  private final Fence fence;
  private final Lives lives;
  private final List<EtcdWatch<?>> watches = new CopyOnWriteArrayList<>();
  private final List<Syncer> syncers = new CopyOnWriteArrayList<>();
  private final Object lifecycle = new Object();
  private boolean closed;

  private EtcdDatastore(EtcdSettings settings, Codecs codecs) {
    this.settings = settings;
    this.codecs = codecs;
    this.connection = Connection.open(settings, "evenkeel-etcd");
    this.fence = new Fence(settings);
    this.lives = new Lives(connection);
  }

  /**
   * Opens the client.
   *
   * @throws EvenkeelException of kind {@code INVALID} when a certificate or key cannot be read
   */
  public static EtcdDatastore open(EtcdSettings settings, Codecs codecs) {
    return new EtcdDatastore(settings, codecs);
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> create(KeyValue<V> pair, Call call) {
    Key<V> key = pair.key();
    ByteString at = bytes(key);
    return call(
        key.path(),
        call,
        limit -> {
          ByteString value = encoded("create", key, pair.value());
          return put(pair, value, limit, List.of(Ops.absent(at)), true)
              .thenApply(
                  result -> {
                    if (!result.done()) {
                      throw new DatastoreException.AlreadyExists(
                          key.path(), known(key, Ops.found(result.answers().get(0))));
                    }
                    return written(pair, result);
                  });
        });
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> update(KeyValue<V> pair, Call call) {
    Key<V> key = pair.key();
    ByteString at = bytes(key);
    return call(
        key.path(),
        call,
        limit -> {
          ByteString value = encoded("update", key, pair.value());
          OptionalLong wanted = number(pair.revision());
          Compare holds =
              wanted.isPresent() ? Ops.modified(at, wanted.getAsLong()) : Ops.exists(at);
          return put(pair, value, limit, List.of(holds), wanted.isPresent())
              .thenApply(
                  result -> {
                    if (!result.done()) {
                      throw stale(key, Ops.found(result.answers().get(0)));
                    }
                    return written(pair, result);
                  });
        });
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> apply(KeyValue<V> pair, Call call) {
    Key<V> key = pair.key();
    ByteString at = bytes(key);
    return call(
        key.path(),
        call,
        limit -> {
          ByteString value = encoded("apply", key, pair.value());
          OptionalLong wanted = number(pair.revision());
          List<Compare> holds =
              wanted.isPresent() ? List.of(Ops.modified(at, wanted.getAsLong())) : List.of();
          return put(pair, value, limit, holds, wanted.isPresent())
              .thenApply(
                  result -> {
                    if (!result.done()) {
                      throw new DatastoreException.UpdateConflict(
                          key.path(), known(key, Ops.found(result.answers().get(0))));
                    }
                    return written(pair, result);
                  });
        });
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> delete(Key<V> key, Revision revision, Call call) {
    return remove(key, revision, Optional.empty(), call);
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> deleteKvp(KeyValue<V> pair, Call call) {
    return remove(pair.key(), pair.revision(), pair.uid(), call);
  }

  private <V> CompletionStage<KeyValue<V>> remove(
      Key<V> key, Revision revision, Optional<String> uid, Call call) {
    return call(
        key.path(),
        call,
        limit -> {
          Removal<V> removal =
              new Removal<>(settings.root(), key, number(revision), uid.map(Removal::created));
          Attempt attempt =
              attempt(limit, removal.holds(), removal.then(), List.of(Ops.get(bytes(key))));
          return new Surely(connection, limit, List.of())
              .run(attempt)
              .thenApply(result -> removal.outcome(result, codecs));
        });
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> get(Key<V> key, Revision revision, Call call) {
    return call(
        key.path(),
        call,
        limit -> {
          RangeRequest request =
              RangeRequest.newBuilder()
                  .setKey(bytes(key))
                  .setRevision(number(revision).orElse(0))
                  .build();
          return connection
              .askShortly(KVGrpc.getRangeMethod(), request, limit)
              .thenApply(
                  response -> {
                    if (response.getKvsCount() == 0) {
                      throw new DatastoreException.DoesNotExist(key.path());
                    }
                    return Stored.pair(key, response.getKvs(0), codecs);
                  });
        });
  }

  @Override
  public <V> CompletionStage<KeyValueList<V>> list(
      ListOptions<V> options, Revision revision, Call call) {
    return call(
        options.root(),
        call,
        limit ->
            Listing.read(
                    connection, Listing.range(settings, options), number(revision).orElse(0), limit)
                .thenApply(found -> listed(options, found)));
  }

  private <V> KeyValueList<V> listed(ListOptions<V> options, Listing.Found found) {
    List<KeyValue<V>> items = new ArrayList<>();
    for (io.etcd.jetcd.api.KeyValue pair : found.pairs()) {
      options
          .match(Bytes.text(pair.getKey()).substring(settings.root().length()))
          .flatMap(key -> Stored.tryPair(key, pair, codecs))
          .ifPresent(items::add);
    }
    return new KeyValueList<>(items, Stored.revision(found.revision()));
  }

  @Override
  public CompletionStage<Revision> commit(List<Guard> guards, List<Write> writes, Call call) {
    String about = writes.isEmpty() ? "" : writes.get(0).key().path();
    return call(
        about,
        call,
        limit -> {
          Batch batch =
              new Batch(settings.root(), codecs, List.copyOf(guards), List.copyOf(writes));
          checkSize("commit", about, batch.size());
          List<Epoch> epochs = new ArrayList<>(batch.epochs());
          if (!call.epoch().equals(Epoch.NONE)) {
            epochs.add(call.epoch());
          }
          Attempt attempt =
              new Attempt(
                  fence,
                  epochs.stream().min(Epoch::compareTo).orElse(Epoch.NONE),
                  epochs.stream().max(Epoch::compareTo).orElse(Epoch.NONE),
                  batch.holds(),
                  batch.then(),
                  batch.otherwise(),
                  limit);
          return new Surely(connection, limit, epochs.isEmpty() ? List.of() : batch.expected())
              .run(attempt)
              .thenApply(batch::outcome);
        });
  }

  @Override
  public <V> Watch watch(ListOptions<V> options, Revision revision, Watch.Observer<V> observer) {
    OptionalLong from = number(revision);
    EtcdWatch<V> watch;
    synchronized (lifecycle) {
      connection.checkOpen();
      if (watches.size() >= MOST_WATCHES) {
        throw new EvenkeelException(
            ErrorKind.RESOURCE_EXHAUSTED, "more than " + MOST_WATCHES + " watches");
      }
      watch = new EtcdWatch<>(connection, settings, options, observer, codecs, watches::remove);
      watches.add(watch);
    }
    if (from.isPresent() && from.getAsLong() != 0) {
      watch.after(from.getAsLong());
      return watch;
    }
    var unused =
        Listing.read(
                connection,
                Listing.range(settings, options),
                0,
                Limit.of(options.root(), Call.usual()))
            .whenComplete(
                (found, failure) -> {
                  if (failure == null) {
                    watch.after(found);
                  } else {
                    EvenkeelException known = typed(options.root(), failure);
                    watch.fail(
                        known instanceof DatastoreException typed
                            ? typed
                            : DatastoreException.failed(
                                options.root(), "the watch cannot begin", known));
                  }
                });
    return watch;
  }

  /** Finds out whether etcd answers this user; there is nothing to prepare. */
  @Override
  public CompletionStage<Void> ensureInitialized(Call call) {
    return call(
        "/",
        call,
        limit ->
            connection
                .ask(
                    KVGrpc.getRangeMethod(),
                    RangeRequest.newBuilder().setKey(all().from()).setKeysOnly(true).build(),
                    limit)
                .thenApply(response -> null));
  }

  @Override
  public CompletionStage<Void> clean(Call call) {
    return call(
        "/",
        call,
        limit ->
            new Surely(connection, limit, List.of())
                .run(attempt(limit, List.of(), List.of(Ops.delete(all())), List.of()))
                .thenApply(result -> null));
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
    watches.forEach(EtcdWatch::close);
    connection.close();
  }

  /** For tests: bytes behind the codec's back. */
  void putRaw(String path, byte[] value) {
    ByteString key = ByteString.copyFromUtf8(settings.root() + path);
    List<RequestOp> then = List.of(Ops.put(key, ByteString.copyFrom(value), 0));
    var unused =
        attempt(Limit.of(path, Call.usual()), List.of(), then, List.of()).run(connection).join();
  }

  Connection connection() {
    return connection;
  }

  // Calls.

  /** What is wrong with the input is found before anything is sent. */
  private <T> CompletionStage<T> call(
      String about, Call call, Function<Limit, CompletableFuture<T>> body) {
    CompletableFuture<T> outcome = new CompletableFuture<>();
    try {
      connection.checkOpen();
      var unused =
          body.apply(Limit.of(about, call))
              .whenComplete(
                  (result, failure) -> {
                    if (failure == null) {
                      outcome.complete(result);
                    } else {
                      outcome.completeExceptionally(typed(about, failure));
                    }
                  });
    } catch (EvenkeelException refused) {
      outcome.completeExceptionally(refused);
    }
    return outcome;
  }

  private static EvenkeelException typed(String about, Throwable failure) {
    Throwable cause = Attempt.cause(failure);
    if (cause instanceof EvenkeelException known) {
      return known;
    }
    return cause instanceof Refusal refusal
        ? refusal.typed(about)
        : DatastoreException.failed(about, "the etcd client has failed", cause);
  }

  private Attempt attempt(
      Limit limit, List<Compare> holds, List<RequestOp> then, List<RequestOp> otherwise) {
    Epoch epoch = limit.call().epoch();
    return new Attempt(fence, epoch, epoch, holds, then, otherwise, limit);
  }

  /** Under an epoch, or without a condition, seeing the value tells that it was written. */
  private CompletableFuture<Attempt.Result> put(
      KeyValue<?> pair, ByteString value, Limit limit, List<Compare> holds, boolean conditional) {
    ByteString at = bytes(pair.key());
    boolean tells = !conditional || !limit.call().epoch().equals(Epoch.NONE);
    List<Batch.Expected> expected =
        tells ? List.of(new Batch.Expected(at, Optional.of(value))) : List.of();
    return lives.during(
        pair.ttl(),
        limit,
        lease ->
            new Surely(connection, limit, expected)
                .run(
                    attempt(
                        limit,
                        holds,
                        List.of(Ops.put(at, value, lease), Ops.look(at)),
                        List.of(Ops.get(at)))));
  }

  private static <V> KeyValue<V> written(KeyValue<V> pair, Attempt.Result result) {
    var there = Ops.found(result.answers().get(1)).orElseThrow();
    return Stored.pair(
        pair.key(), pair.value(), there.getModRevision(), there.getCreateRevision(), pair.ttl());
  }

  private <V> ByteString encoded(String verb, Key<V> key, Optional<V> value) {
    V given =
        value.orElseThrow(
            () -> InvalidInputException.of(verb + " of " + key.path(), "value", "", "is missing"));
    ByteString bytes = ByteString.copyFrom(codecs.toBytes(key.type(), given));
    checkSize(verb, key.path(), (long) bytes.size() + key.path().length());
    return bytes;
  }

  private static void checkSize(String verb, String about, long bytes) {
    if (bytes > LARGEST_REQUEST) {
      throw new DatastoreException(
          ErrorKind.OUT_OF_RANGE,
          about,
          verb + " of " + about + ": " + bytes + " bytes; etcd takes " + LARGEST_REQUEST,
          null);
    }
  }

  private <V> DatastoreException stale(Key<V> key, Optional<io.etcd.jetcd.api.KeyValue> there) {
    return there.isEmpty()
        ? new DatastoreException.DoesNotExist(key.path())
        : new DatastoreException.UpdateConflict(key.path(), known(key, there));
  }

  private <V> Optional<KeyValue<?>> known(Key<V> key, Optional<io.etcd.jetcd.api.KeyValue> there) {
    return there.flatMap(pair -> Stored.tryPair(key, pair, codecs)).map(pair -> pair);
  }

  private ByteString bytes(Key<?> key) {
    return ByteString.copyFromUtf8(settings.root() + key.path());
  }

  private Bytes.Range all() {
    return Bytes.Range.prefix(settings.root() + "/");
  }

  /** The number of a revision; 0 is "from scratch", and no number "none given". */
  static OptionalLong number(Revision revision) {
    if (!revision.isGiven()) {
      return OptionalLong.empty();
    }
    try {
      long number = Long.parseLong(revision.text());
      if (number >= 0) {
        return OptionalLong.of(number);
      }
    } catch (NumberFormatException odd) {
      throw wrong(revision);
    }
    throw wrong(revision);
  }

  private static InvalidInputException wrong(Revision revision) {
    return InvalidInputException.of(
        "datastore call", "revision", revision.text(), "must be one that this store gave");
  }
}
