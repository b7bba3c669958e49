package dev.evenkeel.store.etcd;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.datastore.Call;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.grpc.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lives of values: a lease is granted before the write, and given back if nothing was written. */
final class Lives {
  private static final Logger LOG = LoggerFactory.getLogger(Lives.class);

  private final Connection connection;

  Lives(Connection connection) {
    this.connection = connection;
  }

  /** The write with a lease of that life, or with none, which is 0. */
  CompletableFuture<Attempt.Result> during(
      Optional<Duration> life, Limit limit, LongFunction<CompletableFuture<Attempt.Result>> write) {
    if (life.isEmpty()) {
      return write.apply(0);
    }
    return grant(connection, life.get(), limit)
        .thenCompose(
            lease ->
                write
                    .apply(lease.getID())
                    .whenComplete(
                        (result, failure) -> {
                          if (wroteNothing(result, failure)) {
                            revoke(connection, lease.getID());
                          }
                        }));
  }

  static CompletableFuture<LeaseGrantResponse> grant(
      Connection connection, Duration life, Limit limit) {
    LeaseGrantRequest request =
        LeaseGrantRequest.newBuilder()
            .setTTL(Math.max(1, life.plusNanos(999_999_999).toSeconds()))
            .build();
    return connection.ask(LeaseGrpc.getLeaseGrantMethod(), request, limit);
  }

  /** It ends by itself as well, so nobody waits for this. */
  static void revoke(Connection connection, long lease) {
    Limit limit = Limit.of("", Call.usual().under(Epoch.NONE));
    var unused =
        connection
            .ask(
                LeaseGrpc.getLeaseRevokeMethod(),
                LeaseRevokeRequest.newBuilder().setID(lease).build(),
                limit)
            .whenComplete(
                (done, failure) -> {
                  if (failure instanceof Refusal refusal
                      && refusal.code() != Status.Code.NOT_FOUND) {
                    LOG.debug("a lease was not given back and ends by itself", failure);
                  }
                });
  }

  private static boolean wroteNothing(
      Attempt.@org.jspecify.annotations.Nullable Result result,
      @org.jspecify.annotations.Nullable Throwable failure) {
    if (failure == null) {
      return result != null && !result.done();
    }
    Throwable cause = Attempt.cause(failure);
    return !(cause instanceof dev.evenkeel.api.datastore.DatastoreException.PartialFailure)
        && !(cause instanceof Refusal refusal && refusal.mayHaveHappened());
  }
}
