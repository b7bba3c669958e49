package dev.evenkeel.app.trace;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Sends the traces of events to a collector, over OTLP and HTTP. Any thread. */
public final class TraceExport implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private final SdkTracerProvider provider;
  private final EventTraces traces;

  /**
   * Sends from now on; a collector that is not there costs the traces and nothing else.
   *
   * @param endpoint such as {@code http://127.0.0.1:4318/v1/traces}
   */
  public TraceExport(String endpoint) {
    provider =
        SdkTracerProvider.builder()
            .setResource(
                Resource.getDefault()
                    .merge(
                        Resource.create(
                            Attributes.of(AttributeKey.stringKey("service.name"), "evenkeel"))))
            .addSpanProcessor(
                BatchSpanProcessor.builder(
                        OtlpHttpSpanExporter.builder()
                            .setEndpoint(endpoint)
                            .setTimeout(LIMIT)
                            .build())
                    .setScheduleDelay(Duration.ofSeconds(1))
                    .build())
            .build();
    traces = new EventTraces(provider.get("dev.evenkeel"));
  }

  /** Listens to a loop. */
  public EventTraces listener() {
    return traces;
  }

  /** Sends what waits, within some seconds. */
  @Override
  public void close() {
    traces.close();
    var unused = provider.shutdown().join(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }
}
