package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.LoopListener;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.controller.core.ControllerLoop;
import dev.evenkeel.controller.core.LoopConfig;
import dev.evenkeel.controller.manual.ManualClock;
import dev.evenkeel.controller.manual.ManualLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/**
 * One harness for all drivers: three recording handlers, a descriptor, a clock turned by hand, and
 * the loop on the test's thread, on a ring of 2 slots, or on one of 1,024.
 */
final class Rig implements AutoCloseable {
  static final Duration LONG = Duration.ofSeconds(20);

  final List<String> trace = Collections.synchronizedList(new ArrayList<>());
  final ManualClock clock = new ManualClock();
  final Outside outside;
  final Rec a = new Rec("a", trace);
  final Rec b = new Rec("b", trace);
  final Rec c = new Rec("c", trace);
  final Mode mode;
  final ControllerLoop loop;

  /** The drivers. */
  enum Mode {
    MANUAL(1024),
    RING_OF_2(2),
    RING_OF_1024(1024);

    final int slots;

    Mode(int slots) {
      this.slots = slots;
    }
  }

  Rig(Mode mode) {
    this(mode, config -> config, builder -> builder);
  }

  Rig(Mode mode, UnaryOperator<LoopConfig.Builder> config, UnaryOperator<EventLoops.Builder> more) {
    this(mode, true, config, more);
  }

  Rig(
      Mode mode,
      boolean inline,
      UnaryOperator<LoopConfig.Builder> config,
      UnaryOperator<EventLoops.Builder> more) {
    this.mode = mode;
    outside = new Outside(inline);
    LoopConfig.Builder numbers = LoopConfig.builder().ringSlots(mode.slots);
    EventLoops.Builder builder =
        EventLoops.builder("test")
            .handlers(a, b, c)
            .descriptors(outside)
            .config(config.apply(numbers).build())
            .clock(clock)
            .seed(() -> 42)
            .listener(new Tracer());
    builder = more.apply(builder);
    loop = mode == Mode.MANUAL ? builder.manual(clock) : builder.start();
  }

  /** What the events came to. */
  private final class Tracer implements LoopListener {
    @Override
    public void onEnd(EventRecord record) {
      trace.add("done(" + name(record) + "," + record.outcome().orElse("?") + ")");
    }

    @Override
    public void onState(LoopState before, LoopState after) {
      trace.add("state(" + after + ")");
    }
  }

  static String name(EventRecord record) {
    return record.type().equals("ev") || record.type().equals("ask")
        ? record.description()
        : record.type();
  }

  /** With the first resync done, and its trace dropped. */
  static Rig started(Mode mode) {
    Rig rig = new Rig(mode);
    rig.resync();
    return rig;
  }

  Rig resync() {
    assertEquals("applied", await(loop.pushEvent(DatastoreResync.of(InputState.empty()))).word());
    settle();
    trace.clear();
    return this;
  }

  Outcome<Void> does(Event event) {
    Outcome<Void> outcome = await(loop.pushEvent(event));
    settle();
    return outcome;
  }

  <R> Outcome<R> asks(Request<R> request) {
    Outcome<R> outcome = await(loop.pushEvent(request));
    settle();
    return outcome;
  }

  static <R> Outcome<R> await(Submission<R> submission) {
    try {
      return submission.await(LONG);
    } catch (TimeoutException | InterruptedException e) {
      throw new AssertionError("no outcome of " + submission.id(), e);
    }
  }

  /** Until the loop has nothing to do at this time; workers' calls are not waited for. */
  void settle() {
    if (loop instanceof ManualLoop manual) {
      manual.run();
    } else {
      var unused = loop.handlerState();
    }
  }

  void advance(Duration by) {
    if (loop instanceof ManualLoop manual) {
      manual.advance(by);
    } else {
      settle();
      clock.advance(by);
      settle();
    }
  }

  /** Pushes, and waits for room in a ring that is small. */
  Submission<Void> push(Event event) {
    try {
      return loop.pushEvent(event, LONG);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The same for a request. */
  <R> Submission<R> push(Request<R> request) {
    try {
      return loop.pushEvent(request, LONG);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** From now on calls on the outside hang. */
  void hold() {
    if (loop instanceof ManualLoop manual) {
      manual.hold(action -> true);
    } else {
      outside.open = new CountDownLatch(1);
    }
  }

  /** They go on. */
  void release() {
    if (loop instanceof ManualLoop manual) {
      manual.releaseAll();
    } else {
      outside.open.countDown();
    }
  }

  /** Until something holds, which workers bring about. */
  void until(java.util.function.BooleanSupplier condition) {
    long end = System.nanoTime() + LONG.toNanos();
    while (!condition.getAsBoolean()) {
      settle();
      if (System.nanoTime() > end) {
        throw new AssertionError("it never became true; trace: " + trace);
      }
      Thread.onSpinWait();
    }
  }

  /** The same while time passes, slowly enough that a busy machine keeps up. */
  void inTime(java.util.function.BooleanSupplier condition) {
    long[] turned = {System.nanoTime()};
    until(
        () -> {
          if (!condition.getAsBoolean() && System.nanoTime() - turned[0] > 50_000_000L) {
            turned[0] = System.nanoTime();
            advance(Duration.ofMillis(500));
          }
          return condition.getAsBoolean();
        });
  }

  void traced(String... expected) {
    assertEquals(List.of(expected), List.copyOf(trace));
  }

  @Override
  public void close() {
    loop.close(Duration.ofSeconds(10));
  }
}
