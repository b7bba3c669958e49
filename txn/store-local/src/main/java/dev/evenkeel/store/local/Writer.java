package dev.evenkeel.store.local;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.DatastoreException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that writes: takes what waits, up to a limit, as one group with one sync, and
 * answers when the group is durable. When a group cannot be written none of it has happened, or,
 * when even that cannot be told, every answer says so.
 */
final class Writer implements Runnable, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Writer.class);
  private static final int MOST_WAITING = 10_000;
  private static final int MOST_IN_GROUP = 256;
  private static final int MOST_CHANGES = 10_000;

  private final Rocks rocks;
  private final ChangeLog log;
  private final DiskSpace space;
  private final Runnable committed;
  private final LongSupplier nanos;
  private final ArrayBlockingQueue<Request<?>> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final Request<Boolean> poison = new Request<>("", Call.usual(), 0, draft -> Boolean.TRUE);
  private final Thread thread;
  private volatile boolean closed;
  // Of the writer's thread.
  private long revision;
  private Epoch epoch;

  /** One write: checks, then changes the draft. */
  private static final class Request<T> {
    final String about;
    final Call call;
    final long arrived;
    final Function<Draft, T> body;
    final CompletableFuture<T> stage = new CompletableFuture<>();
    private Optional<T> result = Optional.empty();

    Request(String about, Call call, long arrived, Function<Draft, T> body) {
      this.about = about;
      this.call = call;
      this.arrived = arrived;
      this.body = body;
    }

    void run(Draft draft, long now) {
      if (call.isCancelled()) {
        throw new EvenkeelException(ErrorKind.CANCELLED, "the call was called off");
      }
      if (call.limit().isPresent() && now - arrived > call.limit().get().toNanos()) {
        throw new EvenkeelException(
            ErrorKind.DEADLINE_EXCEEDED, "the write was not begun within " + call.limit().get());
      }
      draft.checkEpoch(about, call.epoch());
      result = Optional.of(body.apply(draft));
    }

    void succeed() {
      stage.complete(result.orElseThrow());
    }

    void fail(EvenkeelException failure) {
      stage.completeExceptionally(failure);
    }
  }

  /** Begins its thread. */
  Writer(Rocks rocks, ChangeLog log, DiskSpace space, Runnable committed, LongSupplier nanos) {
    this.rocks = rocks;
    this.log = log;
    this.space = space;
    this.committed = committed;
    this.nanos = nanos;
    this.revision = rocks.revision();
    this.epoch = rocks.epoch();
    this.thread = new Thread(this, "evenkeel-local-writer");
    this.thread.setDaemon(true);
    this.thread.start();
  }

  <T> CompletableFuture<T> submit(String about, Call call, Function<Draft, T> body) {
    Request<T> request = new Request<>(about, call, nanos.getAsLong(), body);
    if (closed) {
      request.fail(over());
    } else if (!waiting.offer(request)) {
      request.fail(
          new EvenkeelException(
              ErrorKind.RESOURCE_EXHAUSTED,
              "more than " + MOST_WAITING + " writes wait for the local store"));
    } else if (closed && waiting.remove(request)) {
      request.fail(over());
    }
    return request.stage;
  }

  @Override
  public void run() {
    List<Request<?>> group = new ArrayList<>(MOST_IN_GROUP);
    boolean goesOn = true;
    while (goesOn) {
      try {
        group.add(waiting.take());
      } catch (InterruptedException ignored) {
        LOG.warn("somebody has interrupted the writer of the local store; it goes on");
        continue;
      }
      waiting.drainTo(group, MOST_IN_GROUP - 1);
      goesOn = !group.remove(poison);
      try {
        commit(group);
      } catch (RuntimeException | Error bug) {
        LOG.error("the writer of the local store has failed", bug);
        EvenkeelException failure = DatastoreException.failed("", "the writer has failed", bug);
        group.forEach(request -> request.fail(failure));
      }
      group.clear();
    }
    for (Request<?> late = waiting.poll(); late != null; late = waiting.poll()) {
      late.fail(over());
    }
  }

  @Override
  public void close() {
    closed = true;
    boolean interrupted = false;
    while (true) {
      try {
        if (thread.isAlive() && Thread.currentThread() != thread) {
          waiting.put(poison);
          thread.join();
        }
        break;
      } catch (InterruptedException again) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void commit(List<Request<?>> group) {
    if (!rocks.isOpen() && !reopened(group)) {
      return;
    }
    Draft draft = new Draft(rocks, revision, epoch);
    List<Request<?>> good = new ArrayList<>(group.size());
    Map<Request<?>, EvenkeelException> refused = new LinkedHashMap<>();
    for (Request<?> request : group) {
      try {
        if (draft.changes().size() >= MOST_CHANGES) {
          throw new EvenkeelException(ErrorKind.BUSY, "too much is being written at once: repeat");
        }
        request.run(draft, nanos.getAsLong());
        good.add(request);
      } catch (EvenkeelException refusal) {
        refused.put(request, refusal);
      } catch (RuntimeException odd) {
        request.fail(DatastoreException.failed(request.about, "the write has failed", odd));
      }
    }
    if (!draft.changes().isEmpty() || !draft.epoch().equals(epoch)) {
      Optional<EvenkeelException> failure = write(draft);
      if (failure.isPresent()) {
        good.forEach(request -> request.fail(failure.get()));
        refused.keySet().forEach(request -> request.fail(failure.get()));
        return;
      }
      revision = draft.revision();
      epoch = draft.epoch();
      log.add(draft.changes());
    }
    good.forEach(Request::succeed);
    // A refusal may be for what this group has written: nobody may know of that before readers can.
    refused.forEach(Request::fail);
    committed.run();
  }

  private Optional<EvenkeelException> write(Draft draft) {
    try {
      space.check(draft.changes());
    } catch (DatastoreException full) {
      return Optional.of(full);
    }
    log.expect(draft.revision());
    try {
      rocks.write(draft.changes(), draft.revision(), draft.epoch());
      return Optional.empty();
    } catch (EvenkeelException failed) {
      return settle(draft, failed);
    }
  }

  /** After a failed write: the reopened store says whether it happened. */
  private Optional<EvenkeelException> settle(Draft draft, EvenkeelException failed) {
    LOG.warn("a write to the local store has failed: {}", failed.getMessage());
    try {
      rocks.reopen();
      if (rocks.revision() == draft.revision() && rocks.epoch().equals(draft.epoch())) {
        return Optional.empty();
      }
      log.expect(revision);
      return Optional.of(failed);
    } catch (EvenkeelException stillFailed) {
      LOG.error("the local store cannot be opened again: {}", stillFailed.getMessage());
      String about = draft.changes().isEmpty() ? "" : draft.changes().get(0).path();
      return Optional.of(new DatastoreException.PartialFailure(about, failed));
    }
  }

  private boolean reopened(List<Request<?>> group) {
    try {
      rocks.reopen();
      long found = rocks.revision();
      if (found != revision) {
        // The group whose outcome could not be told was written after all: watches must read anew.
        log.skip(found);
      }
      revision = found;
      epoch = rocks.epoch();
      return true;
    } catch (EvenkeelException still) {
      group.forEach(request -> request.fail(still));
      return false;
    }
  }

  private static EvenkeelException over() {
    return new EvenkeelException(ErrorKind.UNAVAILABLE, "the local store is closed");
  }
}
