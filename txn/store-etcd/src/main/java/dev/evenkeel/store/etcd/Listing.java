package dev.evenkeel.store.etcd;

import dev.evenkeel.api.datastore.ListOptions;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Reads a range in pages, all of them at the revision of the first: all or nothing. A page that is
 * too large for one message is asked for in smaller ones.
 */
final class Listing {
  private static final int PAGE = 1_000;

  private final Connection connection;
  private final Bytes.Range range;
  private final Limit limit;
  private final List<KeyValue> pairs = new ArrayList<>();
  private final CompletableFuture<Found> found = new CompletableFuture<>();
  private long revision;
  private int page = PAGE;

  /** What a range holds, and at which revision. */
  record Found(List<KeyValue> pairs, long revision) {}

  private Listing(Connection connection, Bytes.Range range, long revision, Limit limit) {
    this.connection = connection;
    this.range = range;
    this.revision = revision;
    this.limit = limit;
  }

  /** The range that options mean. */
  static Bytes.Range range(EtcdSettings settings, ListOptions<?> options) {
    String root = settings.root() + options.root();
    return options.scope() == ListOptions.Scope.ONE
        ? Bytes.Range.one(root)
        : Bytes.Range.prefix(root);
  }

  /** At a revision, or at 0 for the latest; fails with a {@link Refusal}. */
  static CompletableFuture<Found> read(
      Connection connection, Bytes.Range range, long revision, Limit limit) {
    Listing listing = new Listing(connection, range, revision, limit);
    listing.next();
    return listing.found;
  }

  private void next() {
    RangeRequest request =
        RangeRequest.newBuilder()
            .setKey(
                pairs.isEmpty() ? range.from() : Bytes.next(pairs.get(pairs.size() - 1).getKey()))
            .setRangeEnd(range.end())
            .setRevision(revision)
            .setLimit(page)
            .build();
    var unused =
        connection
            .ask(KVGrpc.getRangeMethod(), request, limit)
            .whenComplete(
                (response, failure) -> {
                  if (failure == null) {
                    take(response);
                  } else if (isTooLarge(failure) && page > 1) {
                    page = Math.max(1, page / 8);
                    next();
                  } else {
                    found.completeExceptionally(failure);
                  }
                });
  }

  private void take(RangeResponse response) {
    pairs.addAll(response.getKvsList());
    if (revision == 0) {
      revision = response.getHeader().getRevision();
    }
    if (response.getMore() && response.getKvsCount() > 0) {
      next();
    } else {
      found.complete(new Found(pairs, revision));
    }
  }

  private static boolean isTooLarge(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof Refusal refusal && refusal.code() == Status.Code.RESOURCE_EXHAUSTED;
  }
}
