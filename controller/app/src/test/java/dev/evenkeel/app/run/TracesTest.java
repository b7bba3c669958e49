package dev.evenkeel.app.run;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.app.trace.EventTraces;
import dev.evenkeel.app.trace.TraceExport;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events as traces: their spans, and that they reach a collector. */
class TracesTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path folder;

  /** Runs a create that fails, and gives its record. */
  private EventRecord failing(SessionSetup setup) throws Exception {
    try (Session session = Session.open(StateDir.open(folder.resolve("state")), setup)) {
      session.loop().pushEvent(DatastoreResync.of(InputState.empty())).await(LIMIT).throwIfFailed();
      session.faults().arm("doomed");
      String word = session.loop().pushEvent(CreateVolume.of("doomed", 1)).await(LIMIT).word();
      assertEquals("reverted", word);
      return session.loop().history().last(1).get(0);
    }
  }

  /** Keeps what it is given. */
  private static final class Kept implements SpanExporter {
    private final List<SpanData> spans = new CopyOnWriteArrayList<>();

    @Override
    public CompletableResultCode export(Collection<SpanData> more) {
      spans.addAll(more);
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }

  @Test
  @DisplayName("an event's trace has its handlers and its steps, done and undone, within its time")
  void spans() throws Exception {
    Kept kept = new Kept();
    EventRecord record;
    try (SdkTracerProvider provider =
            SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(kept)).build();
        EventTraces traces = new EventTraces(provider.get("test"))) {
      record = failing(SessionSetup.usual().withListeners(List.of(traces)));
      await()
          .atMost(LIMIT)
          .until(() -> kept.spans.stream().anyMatch(s -> s.getName().equals("create-volume")));
      assertEquals(0, traces.lost());
    }
    SpanData event =
        kept.spans.stream().filter(s -> s.getName().equals("create-volume")).findFirst().get();
    assertEquals(StatusCode.ERROR, event.getStatus().getStatusCode());
    List<SpanData> parts =
        kept.spans.stream().filter(s -> s.getParentSpanId().equals(event.getSpanId())).toList();
    assertEquals(
        record.handlers().size() + record.transaction().orElseThrow().steps().size(), parts.size());
    assertTrue(parts.stream().anyMatch(s -> s.getName().equals("step fail-on-purpose failed")));
    assertTrue(parts.stream().anyMatch(s -> s.getName().equals("handler reservation revert")));
    for (SpanData part : parts) {
      assertEquals(event.getTraceId(), part.getTraceId());
      assertTrue(part.getStartEpochNanos() >= event.getStartEpochNanos());
      assertTrue(part.getEndEpochNanos() <= event.getEndEpochNanos());
    }
  }

  @Test
  @DisplayName("traces reach a collector; one that is away costs nothing but them")
  void exported() throws Exception {
    List<String> bodies = new CopyOnWriteArrayList<>();
    HttpServer collector =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/v1/traces",
        exchange -> {
          bodies.add(
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
    int port = collector.getAddress().getPort();
    try (TraceExport export = new TraceExport("http://127.0.0.1:" + port + "/v1/traces")) {
      var unused = failing(SessionSetup.usual().withListeners(List.of(export.listener())));
      await().atMost(LIMIT).until(() -> String.join("", bodies).contains("create-volume"));
    } finally {
      collector.stop(0);
    }
    assertTrue(String.join("", bodies).contains("evenkeel.event.outcome"));
    assertFalse(bodies.isEmpty());
    folder = folder.resolve("again");
    try (TraceExport nobody = new TraceExport("http://127.0.0.1:" + port + "/v1/traces")) {
      var unused = failing(SessionSetup.usual().withListeners(List.of(nobody.listener())));
    }
  }
}
