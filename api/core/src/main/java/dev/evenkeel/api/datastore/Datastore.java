package dev.evenkeel.api.datastore;

import dev.evenkeel.api.Key;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * The client of a datastore. Implemented by Evenkeel's stores and by authors of further ones, who
 * show with the contract tests of {@code evenkeel-tck} that theirs holds; any thread; never blocks.
 * (Calico's {@code Client}; datastore reference, sections 2, 3 and 9.)
 *
 * <p>A stage completes with the result or, exceptionally, with a {@link DatastoreException} whose
 * type says what happened, with {@link dev.evenkeel.api.ErrorKind#DEADLINE_EXCEEDED} when the
 * call's limit passed (a write may have happened), or with {@link
 * dev.evenkeel.api.ErrorKind#CANCELLED}. Stages complete on a thread of the store's; do not block
 * it. {@link #blocking()} gives the same as plain calls.
 */
public interface Datastore extends AutoCloseable {
  /**
   * Creates a pair that must not exist, else {@link DatastoreException.AlreadyExists} with the
   * existing one.
   */
  <V> CompletionStage<KeyValue<V>> create(KeyValue<V> pair, Call call);

  /**
   * Changes a pair that must exist, else {@link DatastoreException.DoesNotExist}. With a revision
   * it must be current, else {@link DatastoreException.UpdateConflict} with the current one;
   * without, the last write wins.
   */
  <V> CompletionStage<KeyValue<V>> update(KeyValue<V> pair, Call call);

  /**
   * Creates or overwrites. With a revision it must be current, else {@link
   * DatastoreException.UpdateConflict}; without, it never fails because of what is there.
   */
  <V> CompletionStage<KeyValue<V>> apply(KeyValue<V> pair, Call call);

  /**
   * Removes a key, everything below its delete path, and parents that become empty, in one
   * transaction.
   *
   * @param revision the key's current one, or {@link Revision#NONE}
   * @return the pair as it was; without a value when it could not be decoded
   */
  <V> CompletionStage<KeyValue<V>> delete(Key<V> key, Revision revision, Call call);

  /**
   * As {@link #delete}, and only if the pair's uid, when given, is that of the stored object; else
   * does-not-exist.
   */
  <V> CompletionStage<KeyValue<V>> deleteKvp(KeyValue<V> pair, Call call);

  /**
   * The pair of a key, else {@link DatastoreException.DoesNotExist}, or {@link
   * DatastoreException.ParsingEntry} when it cannot be decoded.
   *
   * @param revision at which to read, with {@link Capability#HISTORY}; {@link Revision#NONE} for
   *     the latest
   */
  <V> CompletionStage<KeyValue<V>> get(Key<V> key, Revision revision, Call call);

  /**
   * The pairs that the options mean, all or nothing; entries that cannot be decoded are left out.
   */
  <V> CompletionStage<KeyValueList<V>> list(ListOptions<V> options, Revision revision, Call call);

  /**
   * Writes all or nothing, if every guard holds; else {@link DatastoreException.UpdateConflict}.
   * Without {@link Capability#ATOMIC_BATCH} only batches within one object of the store are taken.
   *
   * @return the revision of all its writes
   */
  CompletionStage<Revision> commit(List<Guard> guards, List<Write> writes, Call call);

  /**
   * Follows changes, from right after a revision on, or from {@link Revision#NONE} with the current
   * pairs first, as added ones.
   *
   * @param observer called on one thread of the store's, one call at a time; back-pressure by not
   *     returning
   * @throws dev.evenkeel.api.EvenkeelException of kind {@code INVALID} when the options or the
   *     revision cannot be used
   */
  <V> Watch watch(ListOptions<V> options, Revision revision, Watch.Observer<V> observer);

  /**
   * Makes a syncer over several kinds of key. Its {@link Syncer#start()} begins the work. By
   * default the one algorithm that works on any store's list and watch, which {@code
   * evenkeel-datastore} brings.
   */
  default Syncer syncer(SyncerOptions options, SyncerCallbacks callbacks) {
    return SyncerProvider.installed().syncer(this, options, callbacks);
  }

  /** Whatever the store needs before its first use. Idempotent. */
  CompletionStage<Void> ensureInitialized(Call call);

  /** Removes everything of Evenkeel's; watchers are told of each key. For tests. */
  CompletionStage<Void> clean(Call call);

  /** What this store can do. Fixed for the life of the client. */
  Set<Capability> capabilities();

  /** The same, as calls that wait; not for the loop thread. */
  default BlockingDatastore blocking() {
    return new BlockingDatastore(this);
  }

  /**
   * Ends watches, syncers and connections; calls under way fail with {@code UNAVAILABLE}.
   * Idempotent.
   */
  @Override
  void close();
}
