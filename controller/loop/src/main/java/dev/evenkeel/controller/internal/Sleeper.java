package dev.evenkeel.controller.internal;

import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.SequenceBarrier;
import com.lmax.disruptor.WaitStrategy;
import dev.evenkeel.controller.core.LoopClock;
import java.lang.invoke.VarHandle;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How the loop thread waits: it parks until the next timer, and whoever has something for it wakes
 * it, but only when it really sleeps. The sleeper says so, and then looks at all lanes once more; a
 * producer publishes first, and then looks whether the loop sleeps; a full fence between the two on
 * either side, so that one of them sees the other.
 */
final class Sleeper implements WaitStrategy {
  private final LoopClock clock;
  private volatile @Nullable Thread sleeping;

  Sleeper(LoopClock clock) {
    this.clock = clock;
  }

  /** Sleeps on the calling thread unless there is something; may return early. */
  void sleep(Optional<Instant> until, BooleanSupplier something) {
    sleeping = Thread.currentThread();
    VarHandle.fullFence();
    try {
      if (!something.getAsBoolean()) {
        clock.park(until);
      }
    } finally {
      sleeping = null;
    }
  }

  /** Wakes the loop if it sleeps. Called by the ring after each publish, and by the other lanes. */
  @Override
  public void signalAllWhenBlocking() {
    VarHandle.fullFence();
    Thread sleeper = sleeping;
    if (sleeper != null) {
      sleeping = null;
      clock.wake(sleeper);
    }
  }

  /** Only barriers wait like this, and the loop has none: it asks the ring itself. */
  @Override
  public long waitFor(long sequence, Sequence cursor, Sequence dependent, SequenceBarrier barrier) {
    throw new UnsupportedOperationException("the loop's ring has one processor, and no barrier");
  }
}
