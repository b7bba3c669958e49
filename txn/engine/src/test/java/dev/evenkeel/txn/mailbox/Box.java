package dev.evenkeel.txn.mailbox;

import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.ObserveValues;
import dev.evenkeel.api.txn.ObservedValues;
import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.Cursor;
import dev.evenkeel.txn.engine.EngineCore;
import dev.evenkeel.txn.engine.EngineSettings;
import dev.evenkeel.txn.engine.PlannedRetry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The mailbox driver, opened for the scenarios of the engine. Used by one test's thread. */
public final class Box implements AutoCloseable {
  /** What the scenario has planned. */
  public interface Plan {
    /** Whether a call does not return; asked once for each, before it is made. */
    boolean hangs(Action action);

    boolean isFrozen(String path);
  }

  /** A transaction of the engine's own. */
  public record Own(Instant at, Optional<PlannedRetry> retry, TransactionResult result) {}

  private final HandClock clock = new HandClock();
  private final List<CountDownLatch> hung = new ArrayList<>();
  private final List<Own> own = new ArrayList<>();
  private final Mailbox mailbox;
  private long passed;

  /** Until when there is nothing to do; absent while there may be something. */
  private @Nullable Instant idle;

  /** Starts it; the core is given to the test as well, which leaves it alone while it works. */
  public Box(
      EngineCore core,
      List<? extends Descriptor<?, ?>> descriptors,
      EngineSettings settings,
      Plan plan) {
    mailbox =
        new Mailbox(
            TransactionEngines.builder("scenario")
                .descriptors(descriptors)
                .settings(settings)
                .clock(clock)
                .closeLimit(Duration.ofSeconds(10)),
            core,
            new Planned(plan));
    mailbox.start();
  }

  private final class Planned implements Seam {
    private final Plan plan;
    private final Map<Action, CountDownLatch> latches = new ConcurrentHashMap<>();

    Planned(Plan plan) {
      this.plan = plan;
    }

    @Override
    public Duration limit(Action action, Duration given) {
      if (!plan.hangs(action)) {
        return given;
      }
      CountDownLatch latch = new CountDownLatch(1);
      latches.put(action, latch);
      synchronized (Box.this) {
        hung.add(latch);
      }
      return Duration.ZERO;
    }

    @Override
    public Object call(Action action, StepContext context) throws Exception {
      CountDownLatch latch = latches.get(action);
      if (latch != null) {
        latch.await();
      }
      return action.run(context);
    }

    @Override
    public boolean isFrozen(String path) {
      return plan.isFrozen(path);
    }

    @Override
    public void ended(Optional<PlannedRetry> retry, TransactionResult result) {
      synchronized (Box.this) {
        own.add(new Own(clock.now(), retry, result));
        Box.this.notifyAll();
      }
    }

    @Override
    public void passed() {
      synchronized (Box.this) {
        idle = null;
        passed++;
      }
    }

    @Override
    public void idle(Optional<Instant> until) {
      synchronized (Box.this) {
        idle = until.orElse(Instant.MAX);
        Box.this.notifyAll();
      }
    }
  }

  /** Lets the engine's thread begin something, and waits for its result. */
  public TransactionResult run(Function<EngineCore, Cursor<TransactionResult>> begin) {
    try {
      TransactionResult result =
          mailbox
              .submit(core -> Optional.of(begin.apply(core)))
              .result()
              .toCompletableFuture()
              .get(20, TimeUnit.SECONDS);
      settle();
      return result;
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  /** Asks what is really there, and waits for it. */
  public ObservedValues observe(ObserveValues asked) {
    try {
      ObservedValues seen = mailbox.observe(asked).toCompletableFuture().get(20, TimeUnit.SECONDS);
      settle();
      return seen;
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  /** Waits until nothing is left to do at this time; gives when there will be. */
  private synchronized Instant settle() {
    long before = passed;
    var unused = mailbox.barrier();
    long end = System.nanoTime() + 20_000_000_000L;
    Instant now = idle;
    while (passed == before || now == null || !now.isAfter(clock.now())) {
      if (System.nanoTime() > end) {
        throw new AssertionError("it does not come to rest");
      }
      try {
        wait(1000);
      } catch (InterruptedException interrupted) {
        throw new AssertionError(interrupted);
      }
      now = idle;
    }
    return now;
  }

  private synchronized void awaitOwn() {
    long end = System.nanoTime() + 20_000_000_000L;
    while (own.isEmpty()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("it does not return");
      }
      try {
        wait(1000);
      } catch (InterruptedException interrupted) {
        throw new AssertionError(interrupted);
      }
    }
  }

  /** Lets time pass up to then; gives what the engine did by itself. */
  public List<Own> passTo(Instant end) {
    own.clear();
    Instant next = settle();
    while (!next.isAfter(end)) {
      clock.turnTo(next);
      next = settle();
    }
    clock.turnTo(end); // nothing is due until then
    return List.copyOf(own);
  }

  /** The call that has hung longest returns; gives what came of it. */
  public TransactionResult returns() {
    settle();
    own.clear();
    CountDownLatch latch = hung.remove(0);
    latch.countDown();
    awaitOwn();
    settle();
    return own.get(0).result();
  }

  @Override
  public void close() {
    hung.forEach(CountDownLatch::countDown);
    mailbox.close();
  }
}
