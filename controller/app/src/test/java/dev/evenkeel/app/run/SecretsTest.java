package dev.evenkeel.app.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Fields;
import dev.evenkeel.api.Secret;
import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.ResyncEvent;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.Turn;
import dev.evenkeel.api.txn.Steps;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.SizeRange;
import dev.evenkeel.app.Cli;
import dev.evenkeel.app.serve.ServeSettings;
import dev.evenkeel.app.serve.Shown;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A secret is planted wherever one can be, and nothing that comes out holds it. */
class SecretsTest {
  /** In every planted text, and in nothing else. */
  private static final String PLANT = "PLANTED-4f1c9";

  private static final String TOKEN = PLANT + "-token-of-the-page";
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path folder;

  /** Uses the secret as handlers should, and fails with words that hold it, as they should not. */
  private record Careless() implements EventHandler {
    @Override
    public String name() {
      return "careless";
    }

    @Override
    public boolean handlesEvent(Event event) {
      return event instanceof CreateVolume;
    }

    @Override
    public void resync(ResyncEvent event, Turn turn) {}

    @Override
    public String update(UpdateEvent event, Turn turn) {
      turn.txn()
          .step(
              Steps.step("log-in", String.class)
                  .apply(
                      context -> {
                        String used = context.secret("key").use(context, text -> text);
                        throw new EvenkeelException(
                            ErrorKind.UNAUTHORIZED, "login with password=" + used + " was refused");
                      })
                  .undo((context, done) -> {}));
      return "logs in with token: " + PLANT + "-change";
    }
  }

  @Test
  @DisplayName("no answer, page, stream, metric, report or line of output holds a planted secret")
  void nowhere() throws Exception {
    ServeSettings settings =
        new ServeSettings(
            "127.0.0.1", 0, Optional.of(TOKEN), Optional.empty(), Optional.empty(), 10);
    Path tokenFile = Files.writeString(folder.resolve("token"), TOKEN + "\n");
    Map<String, String> found = new LinkedHashMap<>();
    try (Running running = Running.in(folder, settings, List.of(new Careless()))) {
      plant(running);
      JsonNode paths = Running.JSON.readTree(ask(running, "/api/openapi.json")).get("paths");
      for (String path : paths.propertyNames()) {
        if (paths.get(path).has("get") && !path.endsWith("/stream")) {
          for (String real : variants(path)) {
            found.put(real, ask(running, real));
          }
        }
      }
      found.put("/", ask(running, "/"));
      commands(running, tokenFile, found);
    }
    assertTrue(found.size() > 40, "only " + found.size() + " answers");
    assertTrue(found.toString().contains("log-in"), "the planted event is not there");
    assertTrue(found.toString().contains(Secret.MASK), "nothing was masked");
    found.forEach((where, text) -> assertFalse(text.contains(PLANT), () -> where + ": " + text));
  }

  private static void plant(Running running) throws Exception {
    CreateVolume create =
        new CreateVolume(
            "planted",
            new SizeRange(1, 0),
            Optional.empty(),
            new TreeMap<>(),
            Secrets.of(Map.of("key", Secret.of(PLANT + "-secret"))));
    String word = running.service().session().loop().pushEvent(create).await(LIMIT).word();
    assertEquals("reverted", word);
  }

  private static List<String> variants(String path) {
    String real =
        path.replace("{sequence}", "1").replace("{number}", "0").replace("{name}", "planted");
    return switch (path) {
      case "/api/v1/explain" -> List.of(real + "?what=planted", real + "?what=/no");
      case "/api/v1/timeline" -> List.of(real + "?key=/no");
      case "/api/v1/graph" ->
          List.of(real, real + "?format=dot", real + "?format=svg", real + "?transaction=0");
      case "/api/v1/transactions", "/api/v1/transactions/{number}" ->
          List.of(real, real + "?format=text");
      case "/api/v1/events" -> List.of(real, real + "?failed=true", real + "?text=x");
      default -> List.of(real);
    };
  }

  private static String ask(Running running, String path) {
    return running
        .send(HttpRequest.newBuilder(running.uri(path)).header("Authorization", "Bearer " + TOKEN))
        .text();
  }

  private void commands(Running running, Path tokenFile, Map<String, String> found)
      throws IOException {
    Path zip = folder.resolve("report.zip");
    for (String line :
        List.of(
            "status",
            "history",
            "history 1",
            "history --failed",
            "explain planted",
            "txn",
            "values",
            "graph",
            "volumes",
            "locks",
            "log",
            "report --to=" + zip,
            "history 1 --output=yaml")) {
      List<String> words = new ArrayList<>(List.of(line.split(" ")));
      words.add("--url=" + running.address());
      words.add("--token-file=" + tokenFile);
      Cli.Result result = Cli.run(words.toArray(String[]::new));
      assertEquals(0, result.status(), result::all);
      found.put(line, result.all());
    }
    try (ZipFile read = new ZipFile(zip.toFile())) {
      for (ZipEntry entry : read.stream().toList()) {
        try (InputStream in = read.getInputStream(entry)) {
          found.put(entry.getName(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
      }
    }
  }

  /** A value that is not careful. */
  private record Account(String user, String password, Map<String, String> more) {}

  @Test
  @DisplayName("a value's fields are masked by their names, wherever they stand in it")
  void values() {
    Account account =
        new Account("anna", PLANT, new TreeMap<>(Map.of("apiKey", PLANT, "shelf", "3")));
    assertEquals(
        "Account[user=anna, password=***stripped***, more={apiKey=***stripped***, shelf=3}]",
        Shown.value(account));
    assertEquals(
        "{access-key=***stripped***, zone=b}",
        Shown.value(Fields.of(Map.of("access-key", PLANT, "zone", "b"))));
    assertEquals("[1, {token=***stripped***}]", Shown.value(List.of(1, Map.of("token", PLANT))));
    assertEquals(Secret.MASK, Shown.value(Secret.of(PLANT)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "password=PLANT",
        "the password: PLANT, and more",
        "{\"client_secret\": \"PLANT\"}",
        "Authorization: Bearer PLANT",
        "GET /x?access_token=PLANT&a=b",
        "rbdKey user.key=PLANT;",
        "passphrase = PLANT"
      })
  @DisplayName("running text is masked behind what names a secret")
  void texts(String text) {
    String masked = Shown.masked(text.replace("PLANT", PLANT));
    assertFalse(masked.contains(PLANT), masked);
    assertTrue(masked.contains(Secret.MASK), masked);
  }

  @ParameterizedTest
  @ValueSource(strings = {"keyboard=de", "/example/nic/eth0", "tokens are taken", "secretary: Eve"})
  @DisplayName("what only looks a little like it stays")
  void harmless(String text) {
    assertEquals(text, Shown.masked(text));
  }
}
