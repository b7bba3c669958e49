package dev.evenkeel.app.run;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A Chromium without a screen, driven over its debugging protocol; one page. */
final class Browser implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration GLANCE = Duration.ofMillis(50);

  private final Process process;
  private final WebSocket socket;
  private final Map<Integer, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
  private final AtomicInteger numbers = new AtomicInteger();
  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private String session = "";

  /** The browser of this machine, if it has one. */
  static Optional<Path> program() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return List.of("chromium", "chromium-browser", "google-chrome").stream()
        .flatMap(
            name ->
                Arrays.stream(path.split(File.pathSeparator, -1))
                    .map(place -> Path.of(place, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Starts one, with what it keeps in that folder. */
  static Browser start(Path program, Path folder) throws Exception {
    List<String> command =
        List.of(
            program.toString(),
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--no-first-run",
            "--remote-debugging-port=0",
            "--user-data-dir=" + folder.resolve("profile"),
            "about:blank");
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new Browser(process, address(process));
  }

  private static URI address(Process process) throws IOException {
    BufferedReader lines = process.inputReader();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("DevTools listening on ")) {
        URI found = URI.create(line.substring("DevTools listening on ".length()).strip());
        Thread rest = new Thread(() -> lines.lines().forEach(more -> {}), "browser-output");
        rest.setDaemon(true);
        rest.start();
        return found;
      }
    }
    throw new IOException("the browser ended at once");
  }

  private Browser(Process process, URI address) throws Exception {
    this.process = process;
    this.socket =
        HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(address, new Listener()).join();
    JsonNode target = call("Target.createTarget", Map.of("url", "about:blank"));
    JsonNode attached =
        call(
            "Target.attachToTarget",
            Map.of("targetId", target.get("targetId").asString(), "flatten", true));
    session = attached.get("sessionId").asString();
    for (String domain : List.of("Page", "Runtime", "Log")) {
      var unused = call(domain + ".enable", Map.of());
    }
  }

  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        take(Running.JSON.readTree(text.toString()));
        text.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  private void take(JsonNode message) {
    if (message.has("id")) {
      CompletableFuture<JsonNode> waiting = asked.remove(message.get("id").asInt());
      if (waiting != null) {
        waiting.complete(message);
      }
    } else if (message.get("method").asString().equals("Runtime.exceptionThrown")
        || (message.get("method").asString().equals("Log.entryAdded")
            && message.at("/params/entry/level").asString().equals("error"))) {
      complaints.add(message.get("params").toString());
    }
  }

  private JsonNode call(String method, Map<String, Object> params) throws Exception {
    int number = numbers.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    asked.put(number, answer);
    Map<String, Object> message = new TreeMap<>();
    message.put("id", number);
    message.put("method", method);
    message.put("params", params);
    if (!session.isEmpty()) {
      message.put("sessionId", session);
    }
    var unused = socket.sendText(Running.JSON.writeValueAsString(message), true).join();
    try {
      JsonNode all = answer.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
      if (all.has("error")) {
        throw new IOException(method + ": " + all.get("error"));
      }
      return all.get("result");
    } catch (TimeoutException | ExecutionException failed) {
      throw new IOException(method + " was not answered", failed);
    }
  }

  void open(String url) throws Exception {
    var unused = call("Page.navigate", Map.of("url", url));
  }

  /** The value of an expression; promises are waited for. */
  JsonNode eval(String script) throws Exception {
    JsonNode result =
        call(
            "Runtime.evaluate",
            Map.of("expression", script, "awaitPromise", true, "returnByValue", true));
    if (result.has("exceptionDetails")) {
      throw new IOException(script + ": " + result.get("exceptionDetails"));
    }
    return result.get("result");
  }

  /** Not as long as what it speaks of is not there, or a page is just going or coming. */
  private boolean isTrue(String script) throws Exception {
    String safe = "(() => { try { return Boolean(" + script + ") } catch { return false } })()";
    try {
      return eval(safe).at("/value").asBoolean();
    } catch (IOException betweenTwoPages) {
      return false;
    }
  }

  /** Waits until an expression is true. */
  void until(String script) throws Exception {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!isTrue(script)) {
      if (System.nanoTime() > end) {
        throw new IOException(
            "never true: " + script + "; the page says: " + eval("document.body.innerText"));
      }
      LockSupport.parkNanos(GLANCE.toNanos());
    }
  }

  /** Waits until the main part of the page has that text. */
  void shows(String text) throws Exception {
    until(
        "document.getElementById('main').innerText.includes("
            + Running.JSON.writeValueAsString(text)
            + ")");
  }

  void key(String key) throws Exception {
    for (String type : List.of("keyDown", "keyUp")) {
      Map<String, Object> params = new TreeMap<>(Map.of("type", type, "key", key));
      if (key.length() == 1 && type.equals("keyDown")) {
        params.put("text", key);
      }
      if (key.equals("Enter")) {
        params.put("windowsVirtualKeyCode", 13);
        params.put("text", "\r");
      }
      var unused = call("Input.dispatchKeyEvent", params);
    }
  }

  void size(int width, int height, boolean phone) throws Exception {
    var unused =
        call(
            "Emulation.setDeviceMetricsOverride",
            Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", phone));
  }

  void dark(boolean dark) throws Exception {
    var unused =
        call(
            "Emulation.setEmulatedMedia",
            Map.of(
                "features",
                List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
  }

  void screenshot(Path file) throws Exception {
    JsonNode shot = call("Page.captureScreenshot", Map.of("format", "png"));
    Files.createDirectories(file.getParent());
    Files.write(file, Base64.getDecoder().decode(shot.get("data").asString()));
  }

  /** Errors of the page's scripts, and what its console complains of, at that address. */
  List<String> complaints(String address) {
    return complaints.stream().filter(one -> one.contains(address)).toList();
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    socket.abort();
    var unused = process.onExit().join();
  }
}
