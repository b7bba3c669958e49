package dev.evenkeel.app.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.app.run.Running.Got;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.logging.log4j.LogManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Every question that a running controller answers, with good and with bad input. */
@SuppressWarnings("NullAway.Init") // set before all
class ApiTest {
  @TempDir private static Path folder;
  private static Running running;

  @BeforeAll
  static void begin() {
    running = Running.in(folder);
    running.push("{\"event\":\"create-volume\",\"name\":\"data-1\",\"size\":\"1MiB\"}");
    running.push(
        "{\"event\":\"create-volume\",\"name\":\"doomed\",\"size\":\"1MiB\",\"fault\":\"last-step\"}");
    running.demo("bridge?name=br0&nics=eth0");
  }

  @AfterAll
  static void end() {
    running.close();
  }

  private static List<Integer> sequences(String query) {
    Got got = running.get("/api/v1/events" + query);
    assertEquals(200, got.status(), got::text);
    List<Integer> found = new ArrayList<>();
    got.json().get("events").forEach(event -> found.add(event.get("sequence").asInt()));
    return found;
  }

  private static List<Integer> upTo(int from, int to) {
    return IntStream.rangeClosed(from, to).boxed().toList();
  }

  private static void bad(Got got, int status, String word) {
    assertEquals(status, got.status(), got::text);
    assertEquals("application/problem+json", got.type(), got::text);
    JsonNode problem = got.json();
    assertEquals(status, problem.get("status").asInt());
    assertTrue(problem.get("detail").asString().contains(word), got::text);
  }

  @Test
  @DisplayName("EL-45 sequence number, window, range, first and last, in this order of precedence")
  void historyQueries() {
    assertEquals(List.of(2), sequences("?sequence=2&since=-0s&first=1"));
    assertEquals(upTo(1, 2), sequences("?from=1&to=2"));
    assertEquals(List.of(0), sequences("?from=2&first=1"), "from without to is ignored");
    assertEquals(upTo(0, 1), sequences("?first=2&last=1"));
    assertEquals(sequences(""), sequences("?last=1000000000000"));
    assertEquals(List.of(), sequences("?since=2030-01-01T00:00:00Z&until=2020-01-01T00:00:00Z"));
    assertTrue(sequences("?since=-1h").containsAll(upTo(0, 3)));
    assertEquals(List.of(), sequences("?until=-1h"));
    assertEquals(List.of(), sequences("?until=1"), "seconds since 1970");
    assertEquals(List.of(2), sequences("?failed=true&to=3&from=0"));
    assertEquals(List.of(1, 2), sequences("?type=create-volume&from=0&to=3"));
    assertEquals(List.of(2), sequences("?text=doomed&from=0&to=3"));
  }

  @Test
  @DisplayName("EL-45 pages lead from one to the next until all has been seen, from both ends")
  void pages() {
    List<Integer> all = sequences("?from=0&to=3");
    List<Integer> seen = new ArrayList<>();
    String next = "";
    for (int pages = 0; pages < 10; pages++) {
      JsonNode page = running.get("/api/v1/events?from=0&to=3&limit=1" + next).json();
      page.get("events").forEach(event -> seen.add(event.get("sequence").asInt()));
      if (!page.has("next")) {
        break;
      }
      next = "&" + page.get("next").asString();
    }
    assertEquals(all, seen);
    JsonNode newest = running.get("/api/v1/events?limit=1&before=3").json();
    assertEquals(2, newest.get("events").get(0).get("sequence").asInt());
    assertEquals("before=2", newest.get("next").asString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sequence=-1",
        "sequence=x",
        "first=-1",
        "last=1.5",
        "from=99999999999999999999&to=1",
        "since=yesterday",
        "limit=0",
        "limit=100000",
        "failed=perhaps",
        "last=1&last=2",
        "colour=red"
      })
  @DisplayName("EL-45 malformed or negative is a problem with status 400 that names the parameter")
  void badQueries(String query) {
    bad(running.get("/api/v1/events?" + query), 400, query.replaceAll("=.*", ""));
  }

  @Test
  @DisplayName("all that is wrong with a request is told at once")
  void allFaults() {
    JsonNode faults = running.get("/api/v1/events?first=x&since=y&size=1").json().get("faults");

    assertEquals(3, faults.size(), faults::toString);
  }

  @Test
  @DisplayName("the failed event tells its handlers, its steps, and what was undone, in order")
  void failedEvent() {
    JsonNode event = running.get("/api/v1/events/2").json();

    assertEquals("reverted", event.get("outcome").asString());
    List<String> acts = new ArrayList<>();
    event.get("transaction").get("steps").forEach(step -> acts.add(step.get("act").asString()));
    assertEquals(List.of("done", "done", "failed", "undone", "undone"), acts);
    assertTrue(event.get("handlers").get(9).get("revert").asBoolean());
    bad(running.get("/api/v1/events/4711"), 404, "4711");
    bad(running.get("/api/v1/events/x"), 400, "sequence");
  }

  @Test
  @DisplayName("transactions as JSON and as text, by number and by time")
  void transactions() {
    JsonNode all = running.get("/api/v1/transactions?since=-1h").json().get("transactions");
    assertTrue(all.size() >= 2, all::toString);
    JsonNode one = running.get("/api/v1/transactions/1").json();
    assertEquals("applied", one.get("outcome").asString());
    assertEquals("/example/bridge/br0", one.get("values").get(0).get("key").asString());
    Got text = running.get("/api/v1/transactions/1?format=text");
    assertTrue(text.text().contains("transaction 1"), text::text);
    assertTrue(text.type().startsWith("text/plain"), text::type);
    assertTrue(running.get("/api/v1/transactions?format=text").text().contains("transaction 0"));
    bad(running.get("/api/v1/transactions/4711"), 404, "4711");
    bad(running.get("/api/v1/transactions?limit=-1"), 400, "limit");
    bad(running.get("/api/v1/transactions?format=xml"), 400, "format");
  }

  @Test
  @DisplayName("a pending value is explained; it turns configured, and its timeline tells both")
  void pendingValue() {
    running.demo("bridge?name=br1&nics=eth1");
    String key = "/example/port/br1/eth1";
    JsonNode before = running.get("/api/v1/explain?what=" + key).json();
    assertEquals("pending", before.get("state").asString());
    assertTrue(before.get("why").asString().contains("/example/nic/eth1"), before::toString);
    assertEquals("external-change", before.get("lastTouchedBy").get(0).get("type").asString());

    assertEquals(200, running.demo("nic?name=eth1").status());

    JsonNode after = running.get("/api/v1/explain?what=" + key).json();
    assertEquals("configured", after.get("state").asString());
    JsonNode revisions = running.get("/api/v1/timeline?key=" + key).json().get("revisions");
    assertEquals(2, revisions.size(), revisions::toString);
    assertEquals("pending", revisions.get(0).get("node").get("state").asString());
    assertEquals("configured", revisions.get(1).get("node").get("state").asString());
    bad(running.get("/api/v1/timeline"), 400, "key");
    bad(running.get("/api/v1/timeline?key=/no/such"), 404, "/no/such");
    bad(running.get("/api/v1/explain?what=/no/such"), 404, "/no/such");
    bad(running.get("/api/v1/explain"), 400, "what");
  }

  @Test
  @DisplayName("a volume is explained: the event, the step that failed, and what happens next")
  void explainedVolume() {
    JsonNode doomed = running.get("/api/v1/explain?what=doomed").json();
    assertEquals("absent", doomed.get("state").asString());
    assertTrue(doomed.get("why").asString().contains("fail-on-purpose"), doomed::toString);
    JsonNode good = running.get("/api/v1/explain?what=data-1").json();
    assertEquals("created", good.get("state").asString());
    assertEquals("nothing: all is well", good.get("next").asString());
  }

  @Test
  @DisplayName("values by key, prefix, descriptor, state and view, in pages")
  void values() {
    JsonNode all = running.get("/api/v1/values?prefix=/example/&limit=1").json();
    assertEquals(1, all.get("values").size());
    assertTrue(all.get("found").asInt() > 1);
    String next = all.get("next").asString();
    JsonNode more = running.get("/api/v1/values?prefix=/example/&limit=1&" + next).json();
    assertFalse(more.get("values").get(0).get("key").equals(all.get("values").get(0).get("key")));
    JsonNode one =
        running.get("/api/v1/values?key=/example/bridge/br0&view=desired").json().get("values");
    assertEquals("Bridge[nics=[eth0]]", one.get(0).get("value").asString());
    JsonNode ports = running.get("/api/v1/values?descriptor=ports&state=pending").json();
    assertTrue(ports.toString().contains("/example/port/br0/eth0"), ports::toString);
    JsonNode pending = running.get("/api/v1/values?state=pending&view=applied").json();
    assertFalse(pending.get("values").get(0).has("value"), pending::toString);
    assertTrue(running.get("/api/v1/descriptors").text().contains("/example/nic/"));
    bad(running.get("/api/v1/values?state=sad"), 400, "state");
    bad(running.get("/api/v1/values?view=inside"), 400, "view");
    bad(running.get("/api/v1/values?key=/no/such"), 404, "/no/such");
  }

  @Test
  @DisplayName("what is really there is asked for, by prefix, key and descriptor, in pages")
  void observed() {
    running.demo("nic?name=seen0");
    running.demo("nic?name=seen1&mtu=9000");
    String all = "/api/v1/values?view=observed&prefix=/example/nic/seen";
    JsonNode first = running.get(all + "&limit=1").json();
    assertEquals(2, first.get("found").asInt(), first::toString);
    assertEquals("/example/nic/seen0", first.get("values").get(0).get("key").asString());
    JsonNode second = running.get(all + "&limit=1&" + first.get("next").asString()).json();
    assertEquals("Nic[kind=TAP, mtu=9000]", second.get("values").get(0).get("value").asString());
    assertFalse(second.has("next"), second::toString);
    JsonNode one =
        running.get("/api/v1/values?view=observed&key=/example/nic/seen1&descriptor=nics").json();
    assertEquals(1, one.get("values").size(), one::toString);
    bad(running.get("/api/v1/values?view=observed&state=pending"), 400, "state");
  }

  @Test
  @DisplayName("the graph as JSON, for Graphviz and as a picture, now and as it was")
  void graph() {
    JsonNode nodes = running.get("/api/v1/graph?prefix=/example/bridge/br0").json().get("nodes");
    assertEquals(1, nodes.size());
    assertTrue(running.get("/api/v1/graph?format=dot").text().startsWith("digraph"));
    Got svg = running.get("/api/v1/graph?format=svg");
    assertEquals("image/svg+xml; charset=utf-8", svg.type());
    assertTrue(svg.text().contains("data-key=\"/example/port/br0/eth0\""), svg::text);
    assertEquals(0, running.get("/api/v1/graph?transaction=0").json().get("nodes").size());
    assertTrue(running.get("/api/v1/graph?limit=1").json().get("leftOut").asInt() > 0);
    bad(running.get("/api/v1/graph?transaction=4711"), 404, "4711");
    bad(running.get("/api/v1/graph?time=-1d"), 404, "time");
    bad(running.get("/api/v1/graph?format=png"), 400, "format");
  }

  @Test
  @DisplayName("volumes, and one of them; what runs, what is locked, what backs off")
  void volumesAndOperations() {
    JsonNode volume = running.get("/api/v1/volumes/data-1").json();
    assertEquals("created", volume.get("state").asString());
    assertEquals(1 << 20, volume.get("size").asInt());
    assertTrue(running.get("/api/v1/volumes?prefix=data").json().get("found").asInt() >= 1);
    assertEquals(0, running.get("/api/v1/volumes?after=zzz").json().get("found").asInt());
    for (String path : List.of("operations", "locks", "back-off")) {
      assertEquals(200, running.get("/api/v1/" + path).status(), path);
    }
    bad(running.get("/api/v1/volumes/no-such"), 404, "no-such");
    bad(running.get("/api/v1/volumes?limit=x"), 400, "limit");
  }

  @Test
  @DisplayName("a pushed event is run; a line that is none is a problem that says what is wrong")
  void pushes() {
    Got got = running.push("{\"event\":\"create-volume\",\"name\":\"pushed\",\"size\":1}");
    assertEquals("applied", got.json().get("outcome").asString(), got::text);
    assertEquals(
        "reverted",
        running
            .push("{\"event\":\"create-volume\",\"name\":\"x\",\"size\":1,\"fault\":\"last-step\"}")
            .json()
            .get("outcome")
            .asString());
    bad(running.push("{\"event\":\"fly\"}"), 400, "event");
    bad(running.push("{"), 400, "body:1");
    bad(running.push(""), 400, "the body is an event");
    bad(running.push(" ".repeat(70_000)), 413, "65536");
    bad(
        running.send(
            HttpRequest.newBuilder(running.uri("/api/v1/events"))
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString("x"))),
        415,
        "application/json");
  }

  @Test
  @DisplayName("a resync and a healing are asked for, and their records given when waited for")
  void resyncs() {
    Got resync = running.post("/api/v1/resync", "{\"wait\":30}");
    assertEquals("applied", resync.json().get("outcome").asString(), resync::text);
    assertEquals("full-resync", resync.json().get("event").get("method").asString(), resync::text);
    Got healing = running.post("/api/v1/healing?wait=30", "");
    assertEquals(
        "downstream-resync", healing.json().get("event").get("method").asString(), healing::text);
    assertEquals(202, running.post("/api/v1/resync", "").status());
    bad(running.post("/api/v1/resync?wait=61", ""), 400, "wait");
    bad(running.post("/api/v1/resync", "[]"), 400, "object");
    bad(running.post("/api/v1/healing", "{\"wait\":{}}"), 400, "wait");
    bad(running.post("/api/v1/healing", "{"), 400, "JSON");
    bad(running.get("/api/v1/resync"), 405, "POST");
  }

  @Test
  @DisplayName("levels of the log change at run time, and go back")
  void logLevels() {
    String logger = "dev.evenkeel.test.ApiTest";
    Got set = running.put("/api/v1/log-levels?level=debug&logger=" + logger);
    assertEquals("debug", set.json().get("levels").get(logger).asString(), set::text);
    assertTrue(LogManager.getLogger(logger).isDebugEnabled());
    Got back = running.put("/api/v1/log-levels?level=inherit&logger=" + logger);
    assertFalse(back.json().get("levels").has(logger), back::text);
    assertFalse(LogManager.getLogger(logger).isDebugEnabled());
    bad(running.put("/api/v1/log-levels?level=loud&logger=x"), 400, "level");
    bad(running.put("/api/v1/log-levels?level=info"), 400, "logger");
    bad(running.put("/api/v1/log-levels?level=info&logger=a%20b"), 400, "logger");
  }

  @Test
  @DisplayName("probes, status, statistics, configuration and metrics")
  void probes() {
    assertTrue(running.get("/livez").json().get("alive").asBoolean());
    assertTrue(running.get("/readyz").json().get("ready").asBoolean());
    JsonNode status = running.get("/api/v1/status").json();
    assertEquals("running", status.get("state").asString());
    assertEquals("1000", running.get("/api/v1/config").json().get("capacity").asString());
    assertTrue(running.get("/api/v1/statistics").json().get("total").asInt() > 0);
    String metrics = running.get("/metrics").text();
    assertTrue(metrics.contains("evenkeel_loop_ready{loop=\"evenkeel\"} 1.0"), metrics);
  }

  @ParameterizedTest
  @CsvSource({"/nothing,404", "/api/v1,404", "/api/v1/events/1/2,404", "/%zz,400", "//,400"})
  @DisplayName("what is not there is a problem")
  void nothing(String path, int status) throws Exception {
    assertEquals(status, RawHttp.status(running.address(), "GET " + path + " HTTP/1.1"));
  }

  @Test
  @DisplayName("every route is in the OpenAPI document; each refuses what it does not know")
  void everyRoute() {
    JsonNode paths = running.get("/api/openapi.json").json().get("paths");
    assertTrue(paths.size() >= 25, paths::toString);
    int asked = 0;
    for (String path : paths.propertyNames()) {
      if (!paths.get(path).has("get") || path.endsWith("/stream")) {
        continue;
      }
      String real = path.replaceAll("\\{[a-z]+}", "0");
      asked++;
      bad(running.get(real + "?no-such=1"), 400, "no-such");
      String nasty = URLEncoder.encode("\u0000\ud83d\ude00\"<>'%\\../..", StandardCharsets.UTF_8);
      for (JsonNode param : paths.get(path).get("get").get("parameters")) {
        if (param.get("in").asString().equals("query")) {
          String query = real + "?" + param.get("name").asString() + "=" + nasty;
          int status = running.get(query).status();
          assertTrue(status < 500 || status == 501, () -> query + " gave " + status);
        }
      }
    }
    assertTrue(asked >= 18, "only " + asked);
  }
}
