package dev.evenkeel.app.serve;

import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.loop.EventLoop;
import dev.evenkeel.api.loop.EventQueueFullException;
import dev.evenkeel.api.loop.LoopClosedException;
import dev.evenkeel.api.loop.NotLeaderException;
import dev.evenkeel.api.loop.Submission;
import java.util.function.Supplier;

/** Pushes events for callers over HTTP: what the loop refuses becomes a problem. Any thread. */
public final class Pushing {
  private Pushing() {}

  /** Pushes an event. */
  public static Submission<Void> push(EventLoop loop, Event event) {
    return orProblem(() -> loop.pushEvent(event));
  }

  /** Pushes a request. */
  public static <R> Submission<R> push(EventLoop loop, Request<R> request) {
    return orProblem(() -> loop.pushEvent(request));
  }

  private static <R> Submission<R> orProblem(Supplier<Submission<R>> push) {
    try {
      return push.get();
    } catch (EventQueueFullException full) {
      throw Problem.of(503, "the queue is full: try again later");
    } catch (LoopClosedException closed) {
      throw Problem.of(503, "the loop takes no more events");
    } catch (NotLeaderException standsBy) {
      throw Problem.of(409, "another controller leads: ask that one");
    }
  }
}
