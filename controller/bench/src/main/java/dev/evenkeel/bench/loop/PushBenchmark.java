package dev.evenkeel.bench.loop;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Events a second when the queue never runs dry. Each pusher has a share of the window; before it
 * fills a part of it again it takes the results of that part, which waits at most once. So what is
 * measured is the slower of pushing and processing, with as much under way on all sides.
 */
public class PushBenchmark {
  static final int PART = 128;

  /** The contestant, shared by all pushers. */
  @State(Scope.Benchmark)
  public static class Side {
    /** Its name. */
    @Param("")
    public String contestant;

    Contestant running;

    /** Starts it. */
    @Setup(Level.Trial)
    public void start() {
      running = Contestants.of(contestant);
    }

    /** Ends it. */
    @TearDown(Level.Trial)
    public void end() {
      running.close();
    }
  }

  /** What one pusher has under way. */
  @State(Scope.Thread)
  public static class Pusher {
    private Object[] window;
    private int at;
    private long number;

    /** Its share of the window. */
    @Setup(Level.Trial)
    public void share(ThreadParams threads) {
      window = new Object[Math.max(2 * PART, Contestant.WINDOW / threads.getThreadCount())];
      number = (long) threads.getThreadIndex() << 40;
    }

    /** Takes what is left. */
    @TearDown(Level.Iteration)
    public void takeAll(Side side) {
      for (int i = 0; i < window.length; i++) {
        Object pending = window[i];
        if (pending != null) {
          side.running.take(pending);
          window[i] = null;
        }
      }
    }

    void part(Contestant contestant) {
      int end = at + PART;
      if (window[end - 1] != null) {
        contestant.take(window[end - 1]);
        for (int i = at; i < end - 1; i++) {
          contestant.take(window[i]);
        }
      }
      for (int i = at; i < end; i++) {
        window[i] = contestant.push(new Item(number++));
      }
      at = end == window.length ? 0 : end;
    }
  }

  /** Pushes a part of the window. */
  @Benchmark
  @BenchmarkMode(Mode.Throughput)
  @OutputTimeUnit(TimeUnit.SECONDS)
  @OperationsPerInvocation(PART)
  public void push(Side side, Pusher pusher) {
    pusher.part(side.running);
  }
}
