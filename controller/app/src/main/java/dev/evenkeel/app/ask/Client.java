package dev.evenkeel.app.ask;

import dev.evenkeel.codec.jackson.Document;
import dev.evenkeel.codec.jackson.DocumentReader;
import dev.evenkeel.codec.jackson.Limits;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** Asks one controller. Blocks; one thread. */
public final class Client {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(90);
  private static final Limits LIMITS = new Limits(256 << 20, 64, 64 << 20);

  private final String address;
  private final Optional<String> token;
  private final HttpClient http;

  Client(String address, Optional<String> token, Optional<SSLContext> trusted) {
    this.address = address.replaceAll("/+$", "");
    this.token = token;
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT);
    trusted.ifPresent(builder::sslContext);
    this.http = builder.build();
  }

  /** Where the controller listens. */
  String address() {
    return address;
  }

  /** What is there, as a tree of maps, lists, texts, numbers and truth values. */
  Object get(String path, Map<String, String> query) {
    return tree(text(path, query));
  }

  /** What is there, as it came; throws {@link NoAnswerException} when it is a problem. */
  String text(String path, Map<String, String> query) {
    return send("GET", path, query, "");
  }

  /** Asks for something to be done. */
  Object post(String path, Map<String, String> query, String body) {
    return tree(send("POST", path, query, body));
  }

  /** Asks for something to be set. */
  Object put(String path, Map<String, String> query) {
    return tree(send("PUT", path, query, ""));
  }

  private String send(String method, String path, Map<String, String> query, String body) {
    HttpRequest.Builder request;
    try {
      request = HttpRequest.newBuilder(URI.create(address + path + query(query)));
    } catch (IllegalArgumentException wrong) {
      throw new NoAnswerException(
          0, address + " is no address; such as http://127.0.0.1:9640", wrong);
    }
    request.timeout(ANSWER).method(method, BodyPublishers.ofString(body));
    token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
    if (!body.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    HttpResponse<String> response;
    try {
      response = http.send(request.build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
    } catch (IOException failed) {
      throw new NoAnswerException(
          0,
          "No controller answers at "
              + address
              + " ("
              + reason(failed)
              + "). Is one running (./evenkeel run), and is that its address (--url, --state-dir)?",
          failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new NoAnswerException(0, "interrupted while waiting for the answer", interrupted);
    }
    if (response.statusCode() >= 300 && !path.endsWith("z")) {
      throw new NoAnswerException(response.statusCode(), problem(response), null);
    }
    return response.body();
  }

  private static String reason(IOException failed) {
    String message = failed.getMessage();
    return message == null ? failed.getClass().getSimpleName() : message;
  }

  private static String problem(HttpResponse<String> response) {
    String type = response.headers().firstValue("Content-Type").orElse("");
    if (type.startsWith("application/problem+json")
        && tree(response.body()) instanceof Map<?, ?> problem) {
      return String.valueOf(problem.get("detail"));
    }
    return "the answer has status "
        + response.statusCode()
        + "; is that a controller of Evenkeel's?";
  }

  private static Object tree(String json) {
    byte[] text = json.getBytes(StandardCharsets.UTF_8);
    return new DocumentReader(LIMITS).read("the answer", text, Document.Format.JSON).tree();
  }

  private static String query(Map<String, String> query) {
    StringBuilder text = new StringBuilder();
    query.forEach(
        (name, value) ->
            text.append(text.isEmpty() ? '?' : '&')
                .append(name)
                .append('=')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
    return text.toString();
  }
}
