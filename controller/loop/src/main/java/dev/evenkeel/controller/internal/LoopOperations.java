package dev.evenkeel.controller.internal;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.loop.EventLoop;
import dev.evenkeel.api.loop.LoopThreadBlockedException;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.api.volume.OperationExecutor;
import dev.evenkeel.controller.core.Durations;
import dev.evenkeel.controller.core.LoopClock;
import dev.evenkeel.txn.operation.OperationCore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The operations of a loop, for those who start them. */
public final class LoopOperations implements OperationExecutor {
  private static final long LOOK_EVERY = Duration.ofMillis(2).toNanos();

  private final EventLoop loop;
  private final GuardedFuture.Guard guard;
  private final OperationCore core;
  private final LoopClock clock;

  /** Over a loop. */
  public LoopOperations(
      EventLoop loop, GuardedFuture.Guard guard, OperationCore core, LoopClock clock) {
    this.loop = loop;
    this.guard = guard;
    this.core = core;
    this.clock = clock;
  }

  @Override
  public <R> Submission<R> start(Request<R> request) {
    if (!(request.spec().lane() instanceof Lane.Operation)) {
      throw new EvenkeelException(
          ErrorKind.INVALID, request.type().name() + " is no operation: push it as an event");
    }
    return loop.pushEvent(request);
  }

  @Override
  public boolean isOperationPending(String lockId) {
    return core.isPending(lockId);
  }

  @Override
  public boolean isOperationSafeToRetry(String subject, String kind) {
    return core.isSafeToRetry(subject, kind, clock.now());
  }

  @Override
  public List<Pending> pending() {
    return core.pending();
  }

  @Override
  public List<Held> locks() {
    return core.locks();
  }

  @Override
  public List<Failed> backOff() {
    return core.backOff();
  }

  @Override
  public boolean waitForPending(Duration limit) throws InterruptedException {
    guard.helpUntil(() -> pending().isEmpty());
    if (guard.isLoopThread() && !pending().isEmpty()) {
      throw new LoopThreadBlockedException("the end of its operations");
    }
    long until = System.nanoTime() + Durations.bounded(limit).toNanos();
    while (!pending().isEmpty()) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (System.nanoTime() - until >= 0) {
        return false;
      }
      LockSupport.parkNanos(this, LOOK_EVERY);
    }
    return true;
  }
}
