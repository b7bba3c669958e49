package dev.evenkeel.store.etcd;

import com.google.protobuf.ByteString;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.Codecs;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.Revision;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The delete of a key, of everything below its delete path, and of parents that become empty, as
 * one transaction. etcd decides the parents: a transaction inside the transaction deletes one if
 * nothing is in its directory but what goes anyway. (etcd looks at all conditions before it does
 * anything, so what goes anyway is cut out of the ranges that must be empty.)
 *
 * @param uid revision of the creation that is wanted; 0 for one that no object has
 */
record Removal<V>(String root, Key<V> key, OptionalLong revision, Optional<Long> uid) {
  /** The creation that an identity means, or 0 when it is none of this store's. */
  static long created(String uid) {
    try {
      return uid.startsWith("e") ? Math.max(0, Long.parseLong(uid.substring(1))) : 0;
    } catch (NumberFormatException odd) {
      return 0;
    }
  }

  private ByteString at() {
    return ByteString.copyFromUtf8(root + key.path());
  }

  private boolean isParent() {
    return !key.deletePath().equals(key.path());
  }

  private boolean isConditional() {
    return revision.isPresent() || uid.isPresent();
  }

  List<Compare> holds() {
    List<Compare> all = new ArrayList<>();
    revision.ifPresent(wanted -> all.add(Ops.modified(at(), wanted)));
    uid.ifPresent(
        wanted ->
            all.add(Ops.created(at(), Compare.CompareResult.EQUAL, wanted == 0 ? -1 : wanted)));
    return all;
  }

  List<RequestOp> then() {
    List<RequestOp> all = new ArrayList<>();
    List<Bytes.Range> gone = new ArrayList<>();
    all.add(Ops.get(at()));
    Bytes.Range own = Bytes.Range.one(root + key.path());
    gone.add(own);
    boolean covered = false;
    if (isParent()) {
      Bytes.Range below = directory(key.deletePath());
      gone.add(below);
      all.add(Ops.delete(below));
      covered = key.path().startsWith(slashed(key.deletePath()));
    }
    if (!covered) {
      all.add(Ops.delete(at()));
    }
    parents(new ArrayList<>(key.parents()), gone).ifPresent(txn -> all.add(Ops.nested(txn)));
    return all;
  }

  /** The nearest parent goes if it is empty, and then the next. */
  private Optional<TxnRequest.Builder> parents(List<Key<?>> left, List<Bytes.Range> gone) {
    if (left.isEmpty()) {
      return Optional.empty();
    }
    Key<?> parent = left.remove(0);
    gone.add(Bytes.Range.one(root + parent.path()));
    TxnRequest.Builder txn = TxnRequest.newBuilder();
    for (Bytes.Range empty : Bytes.without(directory(parent.deletePath()), gone)) {
      txn.addCompare(Ops.noneIn(empty));
    }
    txn.addSuccess(Ops.delete(ByteString.copyFromUtf8(root + parent.path())));
    parents(left, gone).ifPresent(next -> txn.addSuccess(Ops.nested(next)));
    return Optional.of(txn);
  }

  private Bytes.Range directory(String path) {
    return Bytes.Range.prefix(root + slashed(path));
  }

  private static String slashed(String path) {
    return path.endsWith("/") ? path : path + "/";
  }

  /** The pair as it was, or why nothing was deleted. */
  dev.evenkeel.api.datastore.KeyValue<V> outcome(Attempt.Result result, Codecs codecs) {
    Optional<KeyValue> own = Ops.found(result.answers().get(0));
    if (!result.done()) {
      boolean another =
          uid.isPresent() && own.isPresent() && own.get().getCreateRevision() != uid.get();
      if (own.isEmpty() || another) {
        throw new DatastoreException.DoesNotExist(key.path());
      }
      throw new DatastoreException.UpdateConflict(
          key.path(), Stored.tryPair(key, own.get(), codecs).map(pair -> pair));
    }
    long deleted =
        result.answers().stream()
            .filter(ResponseOp::hasResponseDeleteRange)
            .mapToLong(answer -> answer.getResponseDeleteRange().getDeleted())
            .sum();
    if (deleted == 0 || (own.isEmpty() && isConditional())) {
      throw new DatastoreException.DoesNotExist(key.path());
    }
    if (own.isEmpty()) {
      return new dev.evenkeel.api.datastore.KeyValue<>(
          key, Optional.empty(), Revision.NONE, Optional.empty(), Optional.empty());
    }
    KeyValue found = own.get();
    return Stored.tryPair(key, found, codecs)
        .orElseGet(() -> Stored.pair(key, found, Optional.empty()));
  }
}
