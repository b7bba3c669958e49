package dev.evenkeel.store.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import java.util.Optional;

/** The parts of etcd's transactions. Pure. */
final class Ops {
  private Ops() {}

  static Compare absent(ByteString key) {
    return created(key, Compare.CompareResult.EQUAL, 0);
  }

  static Compare exists(ByteString key) {
    return created(key, Compare.CompareResult.GREATER, 0);
  }

  static Compare created(ByteString key, Compare.CompareResult how, long revision) {
    return compare(key, how)
        .setTarget(Compare.CompareTarget.CREATE)
        .setCreateRevision(revision)
        .build();
  }

  /** No key of a range was created before that revision; an empty range holds for 0 alone. */
  static Compare noneIn(Bytes.Range range) {
    return compare(range.from(), Compare.CompareResult.EQUAL)
        .setRangeEnd(range.end())
        .setTarget(Compare.CompareTarget.CREATE)
        .setCreateRevision(0)
        .build();
  }

  static Compare noneOlder(Bytes.Range range, long revision) {
    return compare(range.from(), Compare.CompareResult.GREATER)
        .setRangeEnd(range.end())
        .setTarget(Compare.CompareTarget.CREATE)
        .setCreateRevision(revision - 1)
        .build();
  }

  /** Exactly that revision; never, for 0, which would be an absent key's. */
  static Compare modified(ByteString key, long revision) {
    return compare(key, Compare.CompareResult.EQUAL)
        .setTarget(Compare.CompareTarget.MOD)
        .setModRevision(revision == 0 ? -1 : revision)
        .build();
  }

  /** The same, and 0 means absent. */
  static Compare modifiedOrAbsent(ByteString key, long revision) {
    return revision == 0 ? absent(key) : modified(key, revision);
  }

  static Compare value(ByteString key, ByteString value) {
    return compare(key, Compare.CompareResult.EQUAL)
        .setTarget(Compare.CompareTarget.VALUE)
        .setValue(value)
        .build();
  }

  private static Compare.Builder compare(ByteString key, Compare.CompareResult how) {
    return Compare.newBuilder().setKey(key).setResult(how);
  }

  static RequestOp put(ByteString key, ByteString value, long lease) {
    return RequestOp.newBuilder()
        .setRequestPut(PutRequest.newBuilder().setKey(key).setValue(value).setLease(lease))
        .build();
  }

  static RequestOp get(ByteString key) {
    return RequestOp.newBuilder().setRequestRange(RangeRequest.newBuilder().setKey(key)).build();
  }

  /** Only its revisions. */
  static RequestOp look(ByteString key) {
    return RequestOp.newBuilder()
        .setRequestRange(RangeRequest.newBuilder().setKey(key).setKeysOnly(true))
        .build();
  }

  static RequestOp delete(ByteString key) {
    return RequestOp.newBuilder()
        .setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(key))
        .build();
  }

  static RequestOp delete(Bytes.Range range) {
    return RequestOp.newBuilder()
        .setRequestDeleteRange(
            DeleteRangeRequest.newBuilder().setKey(range.from()).setRangeEnd(range.end()))
        .build();
  }

  static RequestOp nested(TxnRequest.Builder txn) {
    return RequestOp.newBuilder().setRequestTxn(txn).build();
  }

  /** The one pair that a get found. */
  static Optional<KeyValue> found(ResponseOp response) {
    return response.getResponseRange().getKvsList().stream().findFirst();
  }
}
