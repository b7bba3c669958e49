package dev.evenkeel.app.run;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.app.examples.DemoSwitch;
import dev.evenkeel.app.serve.ServeSettings;
import dev.evenkeel.controller.core.LoopConfig;
import dev.evenkeel.txn.history.HistoryOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A running controller with the mock switch, and a client that asks it. */
public final class Running implements AutoCloseable {
  static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Service service;

  private Running(Service service) {
    this.service = service;
  }

  /** In that folder, on a free port. */
  public static Running in(Path folder) {
    return in(folder, ServeSettings.local(0), List.of());
  }

  static Running in(Path folder, ServeSettings http, List<EventHandler> handlers) {
    DemoSwitch mock = new DemoSwitch();
    SessionSetup setup =
        SessionSetup.usual()
            .with(LoopConfig.DEFAULT, HistoryOptions.standard())
            .withHandlers(handlers)
            .withValues(mock.descriptors(), List.of(mock));
    try {
      Service service =
          Service.start(
              StateDir.open(folder.resolve("state")),
              setup,
              http,
              Map.of("capacity", "1000"),
              true,
              mock.routes());
      mock.serves(service.session().loop());
      service.resync(LIMIT);
      return new Running(service);
    } catch (IOException | InterruptedException failed) {
      throw new IllegalStateException(failed);
    }
  }

  Service service() {
    return service;
  }

  /** Where it listens. */
  public String address() {
    return service.address();
  }

  /** What came back. */
  public record Got(int status, String type, String text) {
    JsonNode json() {
      return JSON.readTree(text);
    }
  }

  Got get(String path) {
    return send(HttpRequest.newBuilder(uri(path)).GET());
  }

  Got post(String path, String body) {
    return send(
        HttpRequest.newBuilder(uri(path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body)));
  }

  Got put(String path) {
    return send(HttpRequest.newBuilder(uri(path)).PUT(BodyPublishers.noBody()));
  }

  /** Pushes a line of a workload. */
  public Got push(String line) {
    return post("/api/v1/events", line);
  }

  /** Puts a value into the mock switch. */
  public Got demo(String what) {
    return put("/api/v1/demo/" + what);
  }

  URI uri(String path) {
    return URI.create(address() + path);
  }

  Got send(HttpRequest.Builder request) {
    try {
      HttpResponse<String> response =
          client.send(request.timeout(LIMIT).build(), BodyHandlers.ofString());
      return new Got(
          response.statusCode(),
          response.headers().firstValue("Content-Type").orElse(""),
          response.body());
    } catch (IOException failed) {
      throw new IllegalStateException("no answer", failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  @Override
  public void close() throws InvalidInputException {
    service.close();
  }
}
