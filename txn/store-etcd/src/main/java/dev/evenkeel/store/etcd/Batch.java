package dev.evenkeel.store.etcd;

import com.google.protobuf.ByteString;
import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.Codecs;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.Guard;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Write;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A guarded batch as one transaction. etcd takes 128 operations in each, and counts those inside
 * one another along the deepest way only: so a large batch is a transaction of transactions, which
 * is as atomic as a flat one.
 */
final class Batch {
  /** In a flat transaction, beside the fence. */
  private static final int FLAT = 120;

  private static final int CHUNK = 60;
  private static final int MOST_WRITES = 59 * CHUNK;
  private static final int MOST_GUARDS = 59;

  private final String root;
  private final Codecs codecs;
  private final List<Guard> guards = new ArrayList<>();
  private final List<Epoch> epochs = new ArrayList<>();
  private final List<Expected> expected = new ArrayList<>();
  private final List<Compare> holds = new ArrayList<>();
  private final List<RequestOp> otherwise = new ArrayList<>();
  private long size;

  /** What a key holds after the batch. */
  record Expected(ByteString key, Optional<ByteString> value) {}

  Batch(String root, Codecs codecs, List<Guard> guards, List<Write> writes) {
    this.root = root;
    this.codecs = codecs;
    guards.forEach(this::guard);
    Set<String> seen = new HashSet<>();
    for (Write write : writes) {
      if (!seen.add(write.key().path())) {
        throw InvalidInputException.of(
            "commit", write.key().path(), "", "must be written once at most");
      }
      expect(write);
    }
    boolean flat = writes.size() <= FLAT && this.guards.size() <= FLAT;
    if (!flat && (writes.size() > MOST_WRITES || this.guards.size() > MOST_GUARDS)) {
      throw InvalidInputException.of(
          "commit",
          "writes",
          "",
          "must be at most %d writes and %d guards, or %d of each"
              .formatted(MOST_WRITES, MOST_GUARDS, FLAT));
    }
  }

  private void guard(Guard guard) {
    if (guard instanceof Guard.Leader leader) {
      if (!leader.epoch().equals(Epoch.NONE)) {
        epochs.add(leader.epoch());
      }
      return;
    }
    ByteString key = bytes(key(guard));
    if (guard instanceof Guard.At at) {
      holds.add(Ops.modified(key, EtcdDatastore.number(at.revision()).orElse(0)));
    } else if (guard instanceof Guard.Absent) {
      holds.add(Ops.absent(key));
    } else {
      holds.add(Ops.exists(key));
    }
    guards.add(guard);
    otherwise.add(Ops.get(key));
  }

  private void expect(Write write) {
    ByteString key = bytes(write.key());
    Optional<ByteString> value =
        write instanceof Write.Put<?> put ? Optional.of(encoded(put)) : Optional.empty();
    expected.add(new Expected(key, value));
    size += key.size() + value.map(ByteString::size).orElse(0);
  }

  private <V> ByteString encoded(Write.Put<V> put) {
    return ByteString.copyFrom(codecs.toBytes(put.key().type(), put.value()));
  }

  private ByteString bytes(Key<?> key) {
    return ByteString.copyFromUtf8(root + key.path());
  }

  private static Key<?> key(Guard guard) {
    if (guard instanceof Guard.At at) {
      return at.key();
    }
    return guard instanceof Guard.Absent absent ? absent.key() : ((Guard.Exists) guard).key();
  }

  long size() {
    return size;
  }

  /** Of guards that name one. */
  List<Epoch> epochs() {
    return epochs;
  }

  List<Expected> expected() {
    return expected;
  }

  List<Compare> holds() {
    return holds;
  }

  List<RequestOp> otherwise() {
    return otherwise;
  }

  List<RequestOp> then() {
    List<RequestOp> all = new ArrayList<>();
    for (Expected one : expected) {
      all.add(
          one.value()
              .map(value -> Ops.put(one.key(), value, 0))
              .orElseGet(() -> Ops.delete(one.key())));
    }
    if (all.size() <= FLAT) {
      return all;
    }
    List<RequestOp> chunks = new ArrayList<>();
    for (int from = 0; from < all.size(); from += CHUNK) {
      List<RequestOp> part = all.subList(from, Math.min(all.size(), from + CHUNK));
      chunks.add(Ops.nested(TxnRequest.newBuilder().addAllSuccess(part)));
    }
    return chunks;
  }

  /** The revision of all writes, or which guard did not hold. */
  Revision outcome(Attempt.Result result) {
    if (result.done()) {
      return Stored.revision(result.revision());
    }
    for (int i = 0; i < guards.size(); i++) {
      Key<?> key = key(guards.get(i));
      Optional<KeyValue> there = Ops.found(result.answers().get(i));
      if (!holds(guards.get(i), there)) {
        throw new DatastoreException.UpdateConflict(key.path(), known(key, there));
      }
    }
    throw new IllegalStateException("etcd refused a batch whose guards all hold");
  }

  private static boolean holds(Guard guard, Optional<KeyValue> there) {
    if (guard instanceof Guard.At at) {
      return there
          .map(pair -> Stored.revision(pair.getModRevision()).equals(at.revision()))
          .orElse(false);
    }
    return there.isPresent() == (guard instanceof Guard.Exists);
  }

  private <V> Optional<dev.evenkeel.api.datastore.KeyValue<?>> known(
      Key<V> key, Optional<KeyValue> there) {
    return there.flatMap(pair -> Stored.tryPair(key, pair, codecs)).map(pair -> pair);
  }
}
