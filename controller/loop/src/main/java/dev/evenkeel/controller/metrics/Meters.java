package dev.evenkeel.controller.metrics;

import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.api.loop.Stall;
import dev.evenkeel.controller.core.Limits;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/**
 * A loop's meters in a registry. All are functions over numbers that the loop writes anyway.
 * Registered on the builder's thread, and series that turn up on the loop's executor.
 */
final class Meters {
  private static final TimeUnit NANOS = TimeUnit.NANOSECONDS;

  private final MeterRegistry registry;
  private final LoopTally tally;
  private final LoopReadings loop;
  private final Tags common;
  private final List<Meter> bound = new ArrayList<>();

  /** What function meters refer to only weakly. */
  private final List<Object> held = new ArrayList<>();

  private boolean closed;

  Meters(MeterRegistry registry, LoopTally tally, LoopReadings readings) {
    this.registry = registry;
    this.tally = tally;
    this.loop = readings;
    this.common = Tags.of("loop", readings.name());
  }

  void bind() {
    if (registry.find("evenkeel.loop.ready").tags(common).meter() != null) {
      throw new IllegalStateException(
          "a loop named " + loop.name() + " has its numbers in this registry already");
    }
    status();
    events();
    trouble();
    transactions();
    tally.to(this::series, loop.executor());
  }

  synchronized void unbind() {
    closed = true;
    bound.forEach(registry::remove);
    bound.clear();
    held.clear();
  }

  private synchronized void series(LoopTally.Sort sort, String name, Took took) {
    if (closed) {
      return;
    }
    if (sort == LoopTally.Sort.TYPE) {
      timer("evenkeel.loop.event.duration", tag("type", name), took);
      counter("evenkeel.loop.event.failures", tag("type", name), took::failures);
    } else {
      timer("evenkeel.loop.handler.duration", tag("handler", name), took);
      counter("evenkeel.loop.handler.failures", tag("handler", name), took::failures);
    }
  }

  private void status() {
    gauge("evenkeel.loop.queue.waiting", common, l -> l.status().waiting());
    gauge("evenkeel.loop.queue.highwater", common, l -> l.status().highWater());
    gauge("evenkeel.loop.queue.capacity", common, l -> l.status().capacity());
    gauge("evenkeel.loop.operations.running", common, l -> l.status().running());
    gauge("evenkeel.loop.ready", common, l -> l.status().ready() ? 1 : 0);
    for (LoopState state : LoopState.values()) {
      gauge(
          "evenkeel.loop.state",
          tag("state", EngineTally.word(state)),
          l -> l.status().state() == state ? 1 : 0);
    }
    bound.add(
        TimeGauge.builder("evenkeel.loop.held", loop, NANOS, l -> l.status().held().toNanos())
            .tags(common)
            .strongReference(true)
            .register(registry));
    gauge("evenkeel.loop.history.records", common, LoopReadings::historyRecords);
    bound.add(
        Gauge.builder("evenkeel.loop.history.size", loop, LoopReadings::historyBytes)
            .tags(common)
            .baseUnit("bytes")
            .strongReference(true)
            .register(registry));
  }

  private void events() {
    timer("evenkeel.loop.event.wait", common, tally.waits);
    for (String word : LoopTally.WORDS) {
      counter("evenkeel.loop.outcomes", tag("outcome", word), tally.outcome(word)::get);
    }
    counter("evenkeel.loop.followups", common, tally.followUps::get);
    counter("evenkeel.loop.coalesced", common, tally.outcome("superseded")::get);
  }

  private void trouble() {
    for (LoopReadings.Refusal why : LoopReadings.Refusal.values()) {
      counter("evenkeel.loop.refusals", tag("kind", why.word()), () -> loop.refused(why));
    }
    counter("evenkeel.loop.refusals", tag("kind", "admission"), tally.admissionsRefused::get);
    counter("evenkeel.loop.healings", tag("what", "scheduled"), loop::healingsScheduled);
    counter("evenkeel.loop.healings", tag("what", "run"), tally.healingsRun::get);
    counter("evenkeel.loop.healings", tag("what", "failed"), tally.healingsFailed::get);
    for (Stall.Level level : Stall.Level.values()) {
      String word = EngineTally.word(level);
      counter("evenkeel.loop.stalls", tag("level", word), () -> loop.stalls(level));
    }
    counter("evenkeel.loop.revert.failures", common, tally.revertFailures::get);
    for (Limits.Limit limit : Limits.Limit.values()) {
      counter("evenkeel.loop.limits", tag("limit", limit.word()), () -> loop.limits().count(limit));
    }
  }

  private void transactions() {
    EngineTally engine = tally.engine;
    engine.transactions.forEach(
        (outcome, count) ->
            counter(
                "evenkeel.txn.transactions",
                tag("outcome", EngineTally.word(outcome)),
                count::get));
    for (EngineTally.Result result : EngineTally.Result.values()) {
      engine
          .operations(result)
          .forEach(
              (operation, count) ->
                  counter(
                      "evenkeel.txn.operations",
                      tag("operation", EngineTally.word(operation))
                          .and("result", EngineTally.word(result)),
                      count::get));
    }
    engine.states.forEach(
        (state, count) ->
            counter("evenkeel.txn.states", tag("state", EngineTally.word(state)), count::get));
    engine.steps.forEach(
        (act, took) -> timer("evenkeel.txn.steps", tag("act", EngineTally.word(act)), took));
  }

  private Tags tag(String key, String value) {
    return common.and(key, value);
  }

  private void gauge(String name, Tags tags, ToDoubleFunction<LoopReadings> value) {
    bound.add(Gauge.builder(name, loop, value).tags(tags).strongReference(true).register(registry));
  }

  private void counter(String name, Tags tags, LongSupplier value) {
    bound.add(
        FunctionCounter.builder(name, value, LongSupplier::getAsLong)
            .tags(tags)
            .register(registry));
    held.add(value);
  }

  private void timer(String name, Tags tags, Took took) {
    bound.add(
        FunctionTimer.builder(name, took, Took::count, Took::nanos, NANOS)
            .tags(tags)
            .register(registry));
    bound.add(
        TimeGauge.builder(name + ".most", took, NANOS, Took::mostNanos)
            .tags(tags)
            .strongReference(true)
            .register(registry));
    held.add(took);
  }
}
