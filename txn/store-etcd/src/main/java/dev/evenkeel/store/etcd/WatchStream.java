package dev.evenkeel.store.etcd;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.datastore.DatastoreException;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events of a range from a revision on, over as many connections as it takes: one that breaks
 * is replaced, on whichever member answers, from the revision after the last that was handed on. So
 * nothing is missed and nothing comes twice. It is only given up when nobody has answered for as
 * long as the settings say, or when going on would not tell the truth: what it needs is compacted,
 * or the cluster is another one.
 *
 * <p>The next message is asked for when the one before has been handed on: a slow reader holds etcd
 * back, not this process's memory. All methods run in the reader's {@link Serial}.
 *
 * <p>The client's own watch is not used, as it takes the revision of its creation for its position,
 * and can so skip what lies between.
 */
final class WatchStream {
  private static final Duration SHORTEST = Duration.ofMillis(50);
  private static final Duration LONGEST = Duration.ofSeconds(1);
  private static final long NOBODY = -1;

  private final Connection connection;
  private final Serial serial;
  private final Bytes.Range range;
  private final String about;
  private final long patienceNanos;
  private final Reader reader;
  private long next;
  private long cluster;
  private Duration pause = SHORTEST;
  private long failingSince;
  private boolean failing;
  private boolean closed;
  private boolean loggedInAgain;
  private @Nullable Stream stream;

  /** Takes what comes, in order, in the serial. */
  interface Reader {
    /** What happened in one or more revisions, none of them in part. */
    void events(List<Event> events);

    /** Nothing has happened up to that revision. */
    void progress(long revision);

    /** It is over. */
    void failed(DatastoreException failure);
  }

  WatchStream(
      Connection connection,
      EtcdSettings settings,
      Serial serial,
      Bytes.Range range,
      String about,
      Reader reader) {
    this.connection = connection;
    this.serial = serial;
    this.range = range;
    this.about = about;
    this.patienceNanos = settings.watchPatience().toNanos();
    this.reader = reader;
  }

  /** Begins with a revision. */
  void start(long first) {
    next = first;
    open();
  }

  void close() {
    closed = true;
    if (stream != null) {
      stream.cancel();
    }
  }

  private void open() {
    if (!closed) {
      stream = new Stream();
      stream.start();
    }
  }

  private void handle(Stream from, WatchResponse response) {
    if (response.getCreated()) {
      created(from, response);
    }
    if (response.getCanceled()) {
      refused(response);
    } else if (response.getEventsCount() > 0) {
      List<Event> events = response.getEventsList();
      next = events.get(events.size() - 1).getKv().getModRevision() + 1;
      reader.events(events);
    } else if (!response.getCreated() && response.getWatchId() == from.id) {
      // One that was asked for has no watch's number, and some versions of etcd send it before
      // events that are older: such a one is left alone.
      long revision = response.getHeader().getRevision();
      if (revision >= next) {
        next = revision + 1;
        reader.progress(revision);
      }
    }
  }

  private void created(Stream from, WatchResponse response) {
    failing = false;
    loggedInAgain = false;
    pause = SHORTEST;
    from.id = response.getWatchId();
    long found = response.getHeader().getClusterId();
    boolean another = cluster != 0 && cluster != found;
    cluster = found;
    // A revision that this member has not reached is fine: it may lag behind.
    if (another) {
      fail(
          new DatastoreException(
              ErrorKind.OUT_OF_RANGE,
              about,
              about + ": this is another cluster than before: read anew",
              null));
    }
  }

  private void refused(WatchResponse response) {
    if (response.getCompactRevision() != 0) {
      fail(
          new DatastoreException(
              ErrorKind.OUT_OF_RANGE,
              about,
              about + ": what the watch needs is compacted: read anew",
              null));
      return;
    }
    String reason = response.getCancelReason();
    Status status =
        reason.contains("permission denied") || reason.contains("auth")
            ? Status.PERMISSION_DENIED
            : Status.UNAVAILABLE;
    ended(new Refusal(status.withDescription(reason), true));
  }

  private void ended(Refusal refusal) {
    if (closed) {
      return;
    }
    if (stream != null) {
      stream.cancel();
      stream = null;
    }
    long now = System.nanoTime();
    if (!failing) {
      failing = true;
      failingSince = now;
    }
    boolean token = refusal.tokenIsOld() && !loggedInAgain;
    if (token) {
      loggedInAgain = true;
      connection.forgetToken();
    }
    if (!token && (!refusal.isPassing() || now - failingSince >= patienceNanos)) {
      fail(refusal.typed(about));
      return;
    }
    connection.reconnect();
    connection.later(pause, () -> serial.execute(this::open));
    pause = pause.multipliedBy(2).compareTo(LONGEST) < 0 ? pause.multipliedBy(2) : LONGEST;
  }

  private void fail(DatastoreException failure) {
    if (!closed) {
      close();
      reader.failed(failure);
    }
  }

  /** One connection's part. */
  private final class Stream extends ClientCall.Listener<WatchResponse> {
    private final ClientCall<WatchRequest, WatchResponse> call =
        connection.stream(WatchGrpc.getWatchMethod());
    private long id = NOBODY;

    void start() {
      WatchCreateRequest request =
          WatchCreateRequest.newBuilder()
              .setKey(range.from())
              .setRangeEnd(range.end())
              .setStartRevision(next)
              .setPrevKv(true)
              .setProgressNotify(true)
              .build();
      call.start(this, Connection.headers());
      call.request(1);
      call.sendMessage(WatchRequest.newBuilder().setCreateRequest(request).build());
    }

    void cancel() {
      call.cancel("the watch goes on without this connection", null);
    }

    @Override
    public void onMessage(WatchResponse response) {
      serial.execute(
          () -> {
            if (!closed && stream == this) {
              handle(this, response);
              call.request(1);
            }
          });
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      serial.execute(
          () -> {
            if (stream == this) {
              ended(
                  new Refusal(
                      status.isOk() ? Status.UNAVAILABLE.withDescription("stream ended") : status,
                      true));
            }
          });
    }
  }
}
