package dev.evenkeel.store.etcd;

import com.google.protobuf.ByteString;
import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.election.Leadership;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run for leader, and the term that it wins. A key is put under a lease; whoever has the oldest
 * key leads; its revision of creation is the epoch.
 *
 * <p>It leads only when etcd says so: one transaction checks that the key is there and the oldest,
 * and raises the fence to its epoch. From then on nothing is written under an older one. The term
 * is over, by this process's monotonic clock, before the lease can have ended in etcd: it is
 * counted from when the last answered beat was sent.
 *
 * <p>While it waits, a lease that is lost begins the run anew: nobody can win with a key that is
 * gone. Everything happens in one {@link Serial}; what others ask is volatile.
 */
final class Candidacy implements Leadership {
  private static final Logger LOG = LoggerFactory.getLogger(Candidacy.class);
  private static final Duration PAUSE = Duration.ofMillis(250);

  private final Connection connection;
  private final EtcdSettings settings;
  private final Duration life;
  private final String candidate;
  private final Consumer<Candidacy> ended;
  private final Serial serial;
  private final Bytes.Range everybody;
  private final Fence fence;
  private final Candidates candidates;
  private final CompletableFuture<Leadership> won = new CompletableFuture<>();
  private final CompletableFuture<Void> lost = new CompletableFuture<>();
  private final CompletableFuture<Void> resigned = new CompletableFuture<>();
  private volatile long endNanos;
  private volatile boolean over;
  private volatile boolean leads;
  private volatile Epoch epoch = Epoch.NONE;
  private long lease;
  private long run;
  private Optional<KeyValue> seenFence = Optional.empty();
  private boolean asking;

  Candidacy(
      Connection connection,
      EtcdSettings settings,
      Duration life,
      String candidate,
      Consumer<Candidacy> ended) {
    this.connection = connection;
    this.settings = settings;
    this.life = life;
    this.candidate = candidate;
    this.ended = ended;
    this.serial = new Serial(connection.watchers());
    this.everybody = Bytes.Range.prefix(settings.root() + "#election/" + settings.group() + "/");
    this.fence = new Fence(settings);
    this.candidates =
        new Candidates(connection, settings, serial, everybody, changed -> tryToLead());
  }

  CompletionStage<Leadership> start() {
    serial.execute(
        () -> {
          candidates.start();
          begin();
        });
    return won.minimalCompletionStage();
  }

  @Override
  public Epoch epoch() {
    return epoch;
  }

  @Override
  public boolean held() {
    return leads && !over && System.nanoTime() - endNanos < 0;
  }

  @Override
  public CompletionStage<Void> lost() {
    return lost.minimalCompletionStage();
  }

  @Override
  public CompletionStage<Void> resign() {
    over = true;
    serial.execute(
        () -> end(new EvenkeelException(ErrorKind.CANCELLED, "the candidate has resigned")));
    return resigned.minimalCompletionStage();
  }

  // A run: a lease, a key, and beats.

  private void begin() {
    if (over) {
      return;
    }
    long mine = ++run;
    epoch = Epoch.NONE;
    lease = 0;
    long sent = System.nanoTime();
    var unused =
        Lives.grant(connection, life, limit(life))
            .whenComplete(
                (granted, failure) ->
                    serial.execute(
                        () -> {
                          if (failure != null) {
                            failed(mine, failure);
                          } else if (over || mine != run) {
                            Lives.revoke(connection, granted.getID());
                          } else {
                            granted(mine, sent, granted);
                          }
                        }));
  }

  private void granted(long mine, long sent, LeaseGrantResponse granted) {
    lease = granted.getID();
    alive(sent, granted.getTTL());
    TxnRequest request =
        TxnRequest.newBuilder()
            .addCompare(Ops.absent(key()))
            .addSuccess(Ops.put(key(), ByteString.copyFromUtf8(candidate), lease))
            .addFailure(Ops.look(key()))
            .build();
    ask(
        mine,
        request,
        response -> {
          // A key that was there already is one whose answer got lost: the lease is our own.
          long created =
              response.getSucceeded()
                  ? response.getHeader().getRevision()
                  : Ops.found(response.getResponses(0)).orElseThrow().getCreateRevision();
          epoch = new Epoch(created);
          beatLater(mine, granted.getTTL());
          tryToLead();
        });
  }

  private ByteString key() {
    return everybody.from().concat(ByteString.copyFromUtf8(Long.toHexString(lease)));
  }

  private void beatLater(long mine, long seconds) {
    connection.later(
        Duration.ofSeconds(seconds).dividedBy(3), () -> serial.execute(() -> beat(mine, seconds)));
  }

  private void beat(long mine, long seconds) {
    if (over || mine != run) {
      return;
    }
    long sent = System.nanoTime();
    if (sent - endNanos >= 0) {
      leaseIsLost();
      return;
    }
    var unused =
        connection
            .ask(
                LeaseGrpc.getLeaseKeepAliveMethod(),
                LeaseKeepAliveRequest.newBuilder().setID(lease).build(),
                limit(Duration.ofSeconds(seconds).dividedBy(3)))
            .whenComplete(
                (answer, failure) ->
                    serial.execute(() -> beaten(mine, sent, seconds, answer, failure)));
  }

  private void beaten(
      long mine,
      long sent,
      long seconds,
      @org.jspecify.annotations.Nullable LeaseKeepAliveResponse answer,
      @org.jspecify.annotations.Nullable Throwable failure) {
    if (over || mine != run) {
      return;
    }
    if (failure == null && answer != null && answer.getTTL() <= 0) {
      leaseIsLost();
      return;
    }
    if (failure == null) {
      alive(sent, seconds);
    } else {
      LOG.debug("a beat of the leader's lease was not answered", failure);
    }
    tryToLead();
    beatLater(mine, failure == null ? seconds : Math.max(1, seconds / 3));
  }

  /** The lease lives on in etcd for longer than this. */
  private void alive(long sent, long seconds) {
    long nanos = Duration.ofSeconds(seconds).toNanos();
    endNanos = sent + nanos - nanos / 10;
    long mine = run;
    long end = endNanos;
    connection.later(
        Duration.ofNanos(Math.max(0, end - System.nanoTime())),
        () ->
            serial.execute(
                () -> {
                  if (!over && mine == run && end == endNanos) {
                    leaseIsLost();
                  }
                }));
  }

  private void leaseIsLost() {
    if (leads) {
      end(new EvenkeelException(ErrorKind.UNAVAILABLE, "the leader's lease was lost"));
    } else {
      Lives.revoke(connection, lease);
      connection.later(PAUSE, () -> serial.execute(this::begin));
      run++;
    }
  }

  // Leading.

  private void tryToLead() {
    if (over || leads || asking || epoch.equals(Epoch.NONE)) {
      return;
    }
    asking = true;
    long mine = run;
    Compare own = Ops.created(key(), Compare.CompareResult.EQUAL, epoch.number());
    RangeRequest oldest =
        RangeRequest.newBuilder()
            .setKey(everybody.from())
            .setRangeEnd(everybody.end())
            .setSortTarget(RangeRequest.SortTarget.CREATE)
            .setSortOrder(RangeRequest.SortOrder.ASCEND)
            .setLimit(1)
            .build();
    TxnRequest request =
        TxnRequest.newBuilder()
            .addCompare(own)
            .addCompare(Ops.noneOlder(everybody, epoch.number()))
            .addCompare(fence.asSeen(seenFence))
            .addSuccess(fence.raise(epoch))
            .addFailure(fence.get())
            .addFailure(Ops.look(key()))
            .addFailure(RequestOp.newBuilder().setRequestRange(oldest))
            .build();
    var unused =
        connection
            .ask(KVGrpc.getTxnMethod(), request, limit(life))
            .whenComplete(
                (response, failure) ->
                    serial.execute(
                        () -> {
                          asking = false;
                          if (over || mine != run) {
                            tryToLead();
                          } else if (failure != null) {
                            LOG.debug("whether {} leads is asked again", candidate, failure);
                          } else if (response.getSucceeded()) {
                            lead();
                          } else {
                            notYet(response);
                          }
                        }));
  }

  private void notYet(TxnResponse response) {
    seenFence = Ops.found(response.getResponses(0));
    Optional<KeyValue> own = Ops.found(response.getResponses(1));
    Optional<KeyValue> oldest = Ops.found(response.getResponses(2));
    if (own.isEmpty()) {
      leaseIsLost();
      return;
    }
    if (oldest.isPresent() && oldest.get().getCreateRevision() < epoch.number()) {
      return;
    }
    Epoch known = Fence.epoch("election", seenFence);
    if (known.equals(epoch)) {
      // An answer got lost: it was raised by ourselves.
      lead();
    } else if (known.compareTo(epoch) > 0) {
      end(
          new EvenkeelException(
              ErrorKind.FAILED_PRECONDITION,
              "the fence of " + settings.group() + " is at an epoch that etcd has not reached"));
    } else {
      tryToLead();
    }
  }

  private void lead() {
    if (System.nanoTime() - endNanos >= 0) {
      leaseIsLost();
      return;
    }
    leads = true;
    won.complete(this);
  }

  /** The one end of a candidacy, however it comes. */
  void end(EvenkeelException why) {
    boolean first = !lost.isDone();
    over = true;
    if (!first) {
      return;
    }
    run++;
    candidates.close();
    won.completeExceptionally(why);
    lost.complete(null);
    ended.accept(this);
    if (lease == 0) {
      resigned.complete(null);
      return;
    }
    var unused =
        connection
            .ask(
                LeaseGrpc.getLeaseRevokeMethod(),
                LeaseRevokeRequest.newBuilder().setID(lease).build(),
                limit(Duration.ofSeconds(2)))
            .whenComplete(
                (done, failure) -> {
                  if (failure != null) {
                    LOG.debug("the leader's lease was not given back and ends by itself", failure);
                  }
                  resigned.complete(null);
                });
  }

  private void failed(long mine, Throwable failure) {
    if (over || mine != run) {
      return;
    }
    Throwable cause = Attempt.cause(failure);
    if (cause instanceof Refusal refusal && !refusal.isPassing()) {
      end(refusal.typed("election"));
      return;
    }
    LOG.debug("{} tries again to run for leader", candidate, cause);
    run++;
    connection.later(PAUSE, () -> serial.execute(this::begin));
  }

  private void ask(long mine, TxnRequest request, Consumer<TxnResponse> then) {
    var unused =
        connection
            .ask(KVGrpc.getTxnMethod(), request, limit(life))
            .whenComplete(
                (response, failure) ->
                    serial.execute(
                        () -> {
                          if (failure != null) {
                            Lives.revoke(connection, lease);
                            failed(mine, failure);
                          } else if (!over && mine == run) {
                            then.accept(response);
                          }
                        }));
  }

  private static Limit limit(Duration time) {
    return Limit.of("election", Call.within(time));
  }
}
