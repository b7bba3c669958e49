package dev.evenkeel.store.etcd;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.datastore.DatastoreException;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * One write: what must hold, what is done then, and what is read otherwise. It is sent once; when
 * its fence turns out to be lower than its epoch, again with the fence raised in it, which is no
 * repetition, as the first has done nothing.
 *
 * @param fence of the group
 * @param oldest no epoch above this one may be known
 * @param newest the fence is at least here afterwards; {@link Epoch#NONE} for an unfenced write
 * @param holds compares beside the fence's
 * @param then what is done
 * @param otherwise what is read if something does not hold
 * @param limit for everything
 */
record Attempt(
    Fence fence,
    Epoch oldest,
    Epoch newest,
    List<Compare> holds,
    List<RequestOp> then,
    List<RequestOp> otherwise,
    Limit limit) {
  private static final int MOST_TRIES = 16;

  /**
   * What came of it.
   *
   * @param done whether everything held
   * @param revision of the store after it
   * @param answers of {@code then} or of {@code otherwise}
   */
  record Result(boolean done, long revision, List<ResponseOp> answers) {}

  /** Fails with a {@link Refusal}, or with {@link DatastoreException.Fenced}. */
  CompletableFuture<Result> run(Connection connection) {
    if (newest.equals(Epoch.NONE)) {
      TxnRequest.Builder txn = TxnRequest.newBuilder().addAllCompare(holds).addAllSuccess(then);
      return send(connection, txn.addAllFailure(otherwise))
          .thenApply(response -> result(response, response.getResponsesList()));
    }
    return fenced(connection, Optional.empty(), 0);
  }

  /** With the fence at the epoch, or raised to it from what was seen. */
  private CompletableFuture<Result> fenced(
      Connection connection, Optional<Optional<KeyValue>> lower, int tries) {
    TxnRequest.Builder txn = TxnRequest.newBuilder().addAllCompare(holds).addAllSuccess(then);
    lower.ifPresentOrElse(
        seen -> txn.addCompare(fence.asSeen(seen)).addSuccess(fence.raise(newest)),
        () -> txn.addCompare(fence.at(newest)));
    txn.addFailure(fence.get()).addAllFailure(otherwise);
    return send(connection, txn)
        .thenCompose(
            response ->
                response.getSucceeded()
                    ? CompletableFuture.completedFuture(
                        result(response, response.getResponsesList().subList(0, then.size())))
                    : refused(connection, response, lower, tries));
  }

  private CompletableFuture<Result> refused(
      Connection connection, TxnResponse response, Optional<Optional<KeyValue>> lower, int tries) {
    List<ResponseOp> answers = response.getResponsesList();
    Optional<KeyValue> seen = Ops.found(answers.get(0));
    Epoch known = Fence.epoch(limit.about(), seen);
    if (known.compareTo(oldest) > 0) {
      throw new DatastoreException.Fenced(limit.about());
    }
    boolean reached = known.equals(newest);
    if (lower.map(seen::equals).orElse(reached)) {
      // The fence was as compared, so something else was not.
      return CompletableFuture.completedFuture(
          result(response, answers.subList(1, answers.size())));
    }
    if (tries >= MOST_TRIES) {
      throw new DatastoreException(
          ErrorKind.BUSY, limit.about(), "the epoch is being changed all the time", null);
    }
    return fenced(connection, reached ? Optional.empty() : Optional.of(seen), tries + 1);
  }

  private CompletableFuture<TxnResponse> send(Connection connection, TxnRequest.Builder txn) {
    return connection.askShortly(KVGrpc.getTxnMethod(), txn.build(), limit);
  }

  private static Result result(TxnResponse response, List<ResponseOp> answers) {
    return new Result(response.getSucceeded(), response.getHeader().getRevision(), answers);
  }

  /** What a stage has failed with, without what stages wrap it in. */
  static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }
}
