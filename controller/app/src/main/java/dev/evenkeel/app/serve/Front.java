package dev.evenkeel.app.serve;

import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.InvalidInputException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes requests apart, lets them in or not, and sends what comes out. */
final class Front extends Handler.Abstract {
  private static final Logger LOG = LoggerFactory.getLogger(Front.class);
  private static final int LARGEST_BODY = 64 << 10;

  private static final String POLICY =
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none';"
          + " form-action 'none'; frame-ancestors 'none'";

  private final Api api;
  private final ServeSettings settings;
  private final EventStream stream;
  private final Supplier<Instant> clock;
  private final Doors doors;
  private final PageFiles page = new PageFiles();

  Front(Api api, ServeSettings settings, EventStream stream, Supplier<Instant> clock) {
    super(InvocationType.BLOCKING);
    this.api = api;
    this.settings = settings;
    this.stream = stream;
    this.clock = clock;
    this.doors = new Doors(settings);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Answer answer;
    try {
      Optional<Answer> found = answer(request, response, callback);
      if (found.isEmpty()) {
        return true;
      }
      answer = found.get();
    } catch (Problem problem) {
      answer = problem.answer();
      if (problem.status() == 401) {
        response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
      }
    } catch (InvalidInputException wrong) {
      answer = Problem.invalid(wrong.faults()).answer();
    } catch (EvenkeelException failed) {
      answer = Problem.of(503, Shown.text(String.valueOf(failed.getMessage()), 500)).answer();
    } catch (Exception unforeseen) {
      LOG.error("a request was not answered: {}", request.getHttpURI().getPath(), unforeseen);
      answer = Problem.of(500, "something unforeseen; the log tells what").answer();
    }
    send(answer, request, response, callback);
    return true;
  }

  /** The answer; absent when the stream has taken the request over. */
  private Optional<Answer> answer(Request request, Response response, Callback callback)
      throws Exception {
    String method = request.getMethod();
    boolean reads = method.equals("GET") || method.equals("HEAD");
    List<String> segments = segments(request.getHttpURI().getPath());
    Optional<Answer> file = reads ? page.find(String.join("/", segments)) : Optional.empty();
    String path = "/" + String.join("/", segments);
    boolean open = file.isPresent() || path.equals(Probes.LIVE) || path.equals(Probes.READY);
    HttpFields headers = request.getHeaders();
    doors.check(
        open,
        !reads,
        headers.get(HttpHeader.HOST),
        headers.get(HttpHeader.ORIGIN),
        headers.get("Sec-Fetch-Site"),
        headers.get(HttpHeader.AUTHORIZATION));
    if (file.isPresent()) {
      return file;
    }
    Api.Found found = api.find(reads ? "GET" : method, segments);
    Map<String, List<String>> given = new LinkedHashMap<>();
    query(Optional.ofNullable(request.getHttpURI().getQuery()).orElse(""), given);
    byte[] body = reads ? new byte[0] : body(request);
    if (body.length > 0 && !found.route().raw()) {
      Bodies.read(body)
          .forEach((name, value) -> given.computeIfAbsent(name, n -> new ArrayList<>()).add(value));
    }
    if (path.equals(Api.STREAM)) {
      if (!method.equals("GET")) {
        throw Problem.of(405, "only GET here");
      }
      stream(response, callback);
      return Optional.empty();
    }
    return Optional.of(api.answer(found, new Params(given, clock), body));
  }

  private static List<String> segments(String path) {
    List<String> segments = new ArrayList<>();
    for (String part : path.substring(path.startsWith("/") ? 1 : 0).split("/", -1)) {
      segments.add(decoded(part.replace("+", "%2B")));
    }
    return segments;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException wrong) {
      throw Problem.of(400, "the address has an incomplete %-code");
    }
  }

  private static void query(String query, Map<String, List<String>> given) {
    for (String pair : query.split("&", -1)) {
      if (!pair.isEmpty()) {
        int equals = pair.indexOf('=');
        String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
        String value = equals < 0 ? "" : decoded(pair.substring(equals + 1));
        given.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
      }
    }
  }

  /** A body of JSON, or nothing. */
  private static byte[] body(Request request) throws IOException {
    byte[] bytes;
    try (InputStream in = Content.Source.asInputStream(request)) {
      bytes = in.readNBytes(LARGEST_BODY + 1);
    }
    if (bytes.length > LARGEST_BODY) {
      throw Problem.of(413, "a body has at most " + LARGEST_BODY + " bytes");
    }
    String type = Optional.ofNullable(request.getHeaders().get(HttpHeader.CONTENT_TYPE)).orElse("");
    if (bytes.length > 0 && !type.startsWith("application/json")) {
      throw Problem.of(415, "a body is application/json");
    }
    return bytes;
  }

  private void stream(Response response, Callback callback) {
    // First: from the moment at which it is added, others write to it.
    HttpFields.Mutable headers = response.getHeaders();
    headers.put(HttpHeader.CONTENT_TYPE, "text/event-stream");
    headers.put(HttpHeader.CACHE_CONTROL, "no-store");
    StreamClient client = new StreamClient(response, stream.missedCounter(), callback);
    if (!stream.add(client, settings.streams())) {
      throw Problem.of(503, "as many listen as may; try again later");
    }
    client.offer("retry: 2000\n\n".getBytes(StandardCharsets.US_ASCII), 0);
  }

  private static void send(Answer answer, Request request, Response response, Callback callback) {
    response.setStatus(answer.status());
    HttpFields.Mutable headers = response.getHeaders();
    headers.put(HttpHeader.CONTENT_TYPE, answer.type());
    headers.put(HttpHeader.CONTENT_LENGTH, answer.body().length);
    headers.put(HttpHeader.CACHE_CONTROL, "no-store");
    headers.put("X-Content-Type-Options", "nosniff");
    headers.put("Referrer-Policy", "no-referrer");
    headers.put("Content-Security-Policy", POLICY);
    boolean head = request.getMethod().equals("HEAD");
    response.write(true, ByteBuffer.wrap(head ? new byte[0] : answer.body()), callback);
  }
}
