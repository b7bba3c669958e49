package dev.evenkeel.store.etcd;

import dev.evenkeel.api.datastore.DatastoreException;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A write whose answer may get lost. If it does, what is stored is read until somebody answers:
 * when all of it is there, and was written at once, the write was done. When it is not, nobody can
 * tell: it may have been done and overwritten, or may be done yet.
 *
 * @param expected what would be there; empty when seeing it would prove nothing
 */
record Surely(Connection connection, Limit limit, List<Batch.Expected> expected) {
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final int MOST_KEYS = 120;

  /** Fails with a typed failure if the outcome is unknown, else as the attempt does. */
  CompletableFuture<Attempt.Result> run(Attempt attempt) {
    return attempt
        .run(connection)
        .exceptionallyCompose(
            failure -> {
              Throwable cause = Attempt.cause(failure);
              boolean unknown =
                  cause instanceof Refusal refusal
                      && refusal.mayHaveHappened()
                      && refusal.code() != Status.Code.DEADLINE_EXCEEDED;
              return unknown ? look(cause) : CompletableFuture.failedFuture(cause);
            });
  }

  private CompletableFuture<Attempt.Result> look(Throwable lost) {
    if (expected.isEmpty() || expected.size() > MOST_KEYS || connection.isClosed()) {
      return CompletableFuture.failedFuture(unknown(lost));
    }
    List<RequestOp> gets = expected.stream().map(one -> Ops.get(one.key())).toList();
    TxnRequest request = TxnRequest.newBuilder().addAllSuccess(gets).build();
    CompletableFuture<Attempt.Result> outcome = new CompletableFuture<>();
    ask(request, lost, outcome);
    return outcome;
  }

  private void ask(TxnRequest request, Throwable lost, CompletableFuture<Attempt.Result> outcome) {
    var unused =
        connection
            .ask(KVGrpc.getTxnMethod(), request, limit)
            .whenComplete(
                (found, failure) -> {
                  if (failure == null) {
                    judge(found, lost, outcome);
                  } else if (Attempt.cause(failure) instanceof Refusal refusal
                      && refusal.isPassing()
                      && limit.leftNanos() > PAUSE.toNanos()
                      && !connection.isClosed()) {
                    connection.later(PAUSE, () -> ask(request, lost, outcome));
                  } else {
                    outcome.completeExceptionally(unknown(lost));
                  }
                });
  }

  private void judge(TxnResponse found, Throwable lost, CompletableFuture<Attempt.Result> outcome) {
    long revision = 0;
    boolean there = true;
    for (int i = 0; i < expected.size(); i++) {
      KeyValue pair = Ops.found(found.getResponses(i)).orElse(KeyValue.getDefaultInstance());
      if (expected.get(i).value().isEmpty()) {
        there &= pair.getModRevision() == 0;
        continue;
      }
      there &= pair.getModRevision() != 0 && pair.getValue().equals(expected.get(i).value().get());
      there &= revision == 0 || revision == pair.getModRevision();
      revision = pair.getModRevision();
    }
    if (there && revision != 0) {
      outcome.complete(
          new Attempt.Result(
              true, revision, List.of(ResponseOp.getDefaultInstance(), found.getResponses(0))));
    } else {
      outcome.completeExceptionally(unknown(lost));
    }
  }

  private DatastoreException unknown(Throwable lost) {
    return new DatastoreException.PartialFailure(limit.about(), lost);
  }
}
