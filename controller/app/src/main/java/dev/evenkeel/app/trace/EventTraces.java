package dev.evenkeel.app.trace;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.HandlerRecord;
import dev.evenkeel.api.loop.LoopListener;
import dev.evenkeel.api.txn.StepRecord;
import dev.evenkeel.app.serve.Shown;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes a trace of each event when it has ended: a span for the event, below it one for each call
 * of a handler and one for each step. A follow-up has a link to what it follows. The loop's thread
 * only hands the record over; when more wait than may, some have no trace.
 *
 * <p>A record says when an event began and ended, and how long each part took, but not when each
 * part began: parts are laid out one behind the other, handlers first, as they ran.
 */
public final class EventTraces implements LoopListener, AutoCloseable {
  private static final int MOST_WAITING = 2_000;
  private static final int MOST_PARENTS = 1_000;
  private static final int TEXT = 500;

  private final Tracer tracer;
  private final BlockingQueue<EventRecord> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final AtomicLong lost = new AtomicLong();
  private final Thread worker = new Thread(this::run, "evenkeel-traces");
  private volatile boolean closed;

  /** Contexts of the newest events, for their follow-ups; the worker's alone. */
  private final Map<Long, SpanContext> newest = new LinkedHashMap<>();

  /** Gives its spans to that tracer. */
  public EventTraces(Tracer tracer) {
    this.tracer = tracer;
    worker.setDaemon(true);
    worker.start();
  }

  @Override
  public void onEnd(EventRecord record) {
    if (!waiting.offer(record)) {
      lost.incrementAndGet();
    }
  }

  /** How many events have no trace. */
  public long lost() {
    return lost.get();
  }

  private void run() {
    try {
      while (!closed || !waiting.isEmpty()) {
        EventRecord record = waiting.poll(100, TimeUnit.MILLISECONDS);
        if (record != null) {
          trace(record);
        }
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  private void trace(EventRecord record) {
    Instant end = record.end().orElse(record.start());
    SpanBuilder builder =
        tracer
            .spanBuilder(record.type())
            .setNoParent()
            .setStartTimestamp(record.start())
            .setAttribute("evenkeel.event.sequence", record.sequence())
            .setAttribute("evenkeel.event.id", record.id().toString())
            .setAttribute("evenkeel.event.method", word(record.method()))
            .setAttribute("evenkeel.event.outcome", record.outcome().orElse("running"))
            .setAttribute("evenkeel.event.description", text(record.description()))
            .setAttribute(
                "evenkeel.event.wait_micros",
                Duration.between(record.pushed(), record.start()).toNanos() / 1_000);
    record.parent().map(newest::get).ifPresent(builder::addLink);
    Span span = builder.startSpan();
    Context context = Context.root().with(span);
    Instant at = record.start();
    for (HandlerRecord handler : record.handlers()) {
      at = part(context, name(handler), at, handler.duration(), end, handler.failure());
    }
    List<StepRecord> steps = record.transaction().map(t -> t.steps()).orElse(List.of());
    for (StepRecord step : steps) {
      at = part(context, name(step), at, step.duration(), end, step.failure());
    }
    record.failures().stream().findFirst().ifPresent(failure -> failed(span, failure));
    span.end(end);
    remember(record.sequence(), span.getSpanContext());
  }

  private void remember(long sequence, SpanContext context) {
    newest.put(sequence, context);
    if (newest.size() > MOST_PARENTS) {
      newest.remove(newest.keySet().iterator().next());
    }
  }

  private static String name(HandlerRecord handler) {
    return "handler " + handler.handler() + (handler.revert() ? " revert" : "");
  }

  private static String name(StepRecord step) {
    return "step " + text(step.name()) + " " + word(step.act());
  }

  /** A part behind the one before; gives where it ends, which is never behind its event. */
  private Instant part(
      Context event,
      String name,
      Instant from,
      Duration duration,
      Instant end,
      Optional<Failure> failure) {
    Instant to = from.plus(duration);
    Instant until = to.isAfter(end) ? end : to;
    Span span = tracer.spanBuilder(name).setParent(event).setStartTimestamp(from).startSpan();
    failure.ifPresent(one -> failed(span, one));
    span.end(until);
    return until;
  }

  private static void failed(Span span, Failure failure) {
    var unused =
        span.setStatus(StatusCode.ERROR, text(failure.message()))
            .setAttribute("error.type", word(failure.kind()));
  }

  private static String text(String text) {
    return Shown.text(text, TEXT);
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Traces what waits, and ends. */
  @Override
  public void close() {
    closed = true;
    try {
      worker.join(TimeUnit.SECONDS.toMillis(5));
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
