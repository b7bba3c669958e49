package dev.evenkeel.app.show;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.HandlerRecord;
import dev.evenkeel.api.txn.StepRecord;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

/**
 * The report for programs: one line of JSON for each line of the workload when it has ended, and
 * one for the run as a whole. ASCII only.
 */
public final class JsonReport implements Report {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private final PrintWriter out;

  /** A report on that output. */
  public JsonReport(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void begin(String command, String source, String stateDir, OptionalLong total) {
    line(
        json -> {
          json.writeStringProperty("show", "begin");
          json.writeStringProperty("command", command);
          json.writeStringProperty("source", source);
          json.writeStringProperty("stateDir", stateDir);
        });
  }

  @Override
  public void opening(long number, String event, String description, String note) {}

  @Override
  public void waiting(long seconds) {}

  @Override
  public void closing(Ended ended) {
    line(
        json -> {
          json.writeStringProperty("show", "event");
          json.writeNumberProperty("number", ended.number());
          json.writeNumberProperty("line", ended.line());
          json.writeStringProperty("event", ended.event());
          json.writeStringProperty("subject", ended.subject());
          json.writeStringProperty("expected", ended.expected());
          json.writeStringProperty("ended", ended.ended());
          json.writeBooleanProperty("asExpected", ended.asExpected());
          json.writeNumberProperty("micros", micros(ended.duration()));
          ended.record().ifPresent(record -> record(json, record));
          texts(json, "errors", ended.errors());
        });
  }

  @Override
  public void aside(EventRecord record) {
    line(
        json -> {
          json.writeStringProperty("show", "aside");
          json.writeStringProperty("event", record.type());
          json.writeStringProperty("ended", record.outcome().orElse("running"));
          record(json, record);
          texts(json, "errors", record.failures().stream().map(Failure::toString).toList());
        });
  }

  @Override
  public void summary(Totals totals, Verdict verdict) {
    line(
        json -> {
          json.writeStringProperty("show", "summary");
          json.writeNumberProperty("events", totals.events());
          json.writeNumberProperty("unexpected", totals.unexpected());
          json.writeNumberProperty("volumes", verdict.volumes());
          json.writeNumberProperty("snapshots", verdict.snapshots());
          json.writeBooleanProperty("calledOff", verdict.calledOff());
          texts(json, "differences", verdict.differences());
        });
  }

  private static void record(JsonGenerator json, EventRecord record) {
    json.writeNumberProperty("sequence", record.sequence());
    texts(json, "chain", record.chain());
    json.writeArrayPropertyStart("changes");
    for (HandlerRecord handler : record.handlers()) {
      json.writeStartObject();
      json.writeStringProperty("handler", handler.handler());
      json.writeBooleanProperty("revert", handler.revert());
      json.writeStringProperty("change", handler.change());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayPropertyStart("steps");
    for (StepRecord step : record.transaction().map(t -> t.steps()).orElse(List.of())) {
      json.writeStartObject();
      json.writeStringProperty("step", step.name());
      json.writeStringProperty("handler", step.owner());
      json.writeStringProperty("act", step.act().name().toLowerCase(Locale.ROOT));
      json.writeNumberProperty("micros", micros(step.duration()));
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void texts(JsonGenerator json, String name, List<String> texts) {
    json.writeArrayPropertyStart(name);
    texts.forEach(json::writeString);
    json.writeEndArray();
  }

  private void line(Consumer<JsonGenerator> content) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      content.accept(json);
      json.writeEndObject();
    }
    out.print(text + "\n");
    out.flush();
  }

  private static long micros(Duration duration) {
    return duration.toNanos() / 1000;
  }
}
