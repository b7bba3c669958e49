package dev.evenkeel.app.serve;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.LongAdder;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;
import org.jspecify.annotations.Nullable;

/**
 * One who listens to the stream of events. What is put before it waits in a queue of limited
 * length, and is written when the one before has gone; no thread waits for it. Any thread.
 */
final class StreamClient extends IteratingCallback {
  private static final int MOST_WAITING = 64;

  private final Response response;
  private final LongAdder allMissed;
  private final Callback end;
  private final Deque<byte[]> waiting = new ArrayDeque<>();
  private long missed;
  private boolean ending;
  private volatile boolean closed;

  /**
   * Listens from now on.
   *
   * @param allMissed counts what it was too slow for
   */
  StreamClient(Response response, LongAdder allMissed, Callback end) {
    this.response = response;
    this.allMissed = allMissed;
    this.end = end;
  }

  /**
   * Puts something before it; never waits.
   *
   * @param messages how many events it holds
   */
  void offer(byte[] text, int messages) {
    synchronized (waiting) {
      if (waiting.size() >= MOST_WAITING) {
        missed += messages;
        allMissed.add(messages);
        return;
      }
      if (missed > 0) {
        waiting.add(EventStream.gap(missed));
        missed = 0;
      }
      waiting.add(text);
    }
    iterate();
  }

  /** Nothing more comes. */
  void end() {
    synchronized (waiting) {
      ending = true;
    }
    iterate();
  }

  boolean hasEnded() {
    return closed;
  }

  @Override
  protected Action process() {
    byte @Nullable [] next;
    synchronized (waiting) {
      next = waiting.poll();
      if (next == null && missed > 0) {
        next = EventStream.gap(missed);
        missed = 0;
      }
      if (next == null) {
        return ending ? Action.SUCCEEDED : Action.IDLE;
      }
    }
    response.write(false, ByteBuffer.wrap(next), this);
    return Action.SCHEDULED;
  }

  @Override
  protected void onCompleteSuccess() {
    closed = true;
    end.succeeded();
  }

  @Override
  protected void onCompleteFailure(Throwable cause) {
    closed = true;
    end.failed(cause);
  }
}
