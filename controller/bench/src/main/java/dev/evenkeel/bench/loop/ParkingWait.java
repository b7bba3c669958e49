package dev.evenkeel.bench.loop;

import com.lmax.disruptor.AlertException;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.SequenceBarrier;
import com.lmax.disruptor.WaitStrategy;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * The loop's own way of waiting, for a stock processor: it parks, and is woken only when it really
 * sleeps.
 */
final class ParkingWait implements WaitStrategy {
  private volatile Thread sleeping;

  @Override
  public long waitFor(long wanted, Sequence cursor, Sequence dependent, SequenceBarrier barrier)
      throws AlertException {
    long available = dependent.get();
    while (available < wanted) {
      barrier.checkAlert();
      sleeping = Thread.currentThread();
      VarHandle.fullFence();
      if (dependent.get() < wanted && !barrier.isAlerted()) {
        LockSupport.park(this);
      }
      sleeping = null;
      available = dependent.get();
    }
    return available;
  }

  @Override
  public void signalAllWhenBlocking() {
    VarHandle.fullFence();
    Thread sleeper = sleeping;
    if (sleeper != null) {
      sleeping = null;
      LockSupport.unpark(sleeper);
    }
  }
}
