package dev.evenkeel.app.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.app.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that ask, each against a running controller. */
@SuppressWarnings("NullAway.Init") // set before all
class AskTest {
  @TempDir private static Path folder;
  private static Running running;

  @BeforeAll
  static void begin() {
    running = Running.in(folder);
    ask("push", "{\"event\":\"create-volume\",\"name\":\"data-1\",\"size\":\"1MiB\"}");
    ask(
        "push",
        "{\"event\":\"create-volume\",\"name\":\"doomed\",\"size\":1,\"fault\":\"last-step\"}");
    running.demo("bridge?name=br0&nics=eth0");
  }

  @AfterAll
  static void end() {
    running.close();
  }

  private static Cli.Result ask(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add(1, "--url=" + running.address());
    return Cli.run(all.toArray(String[]::new));
  }

  private static Cli.Result good(String... arguments) {
    Cli.Result result = ask(arguments);
    assertEquals(0, result.status(), result::all);
    assertEquals("", result.err());
    return result;
  }

  private static void shows(Cli.Result result, String... texts) {
    for (String text : texts) {
      assertTrue(result.out().contains(text), () -> text + " is missing in " + result.all());
    }
  }

  @Test
  @DisplayName("status: how it stands")
  void status() {
    shows(good("status"), "running", "ready", "newest event");
  }

  @Test
  @DisplayName("push: applied is 0, reverted is 1, a bad event is 2")
  void push() {
    String create = "{\"event\":\"create-volume\",\"name\":\"%s\",\"size\":1}";
    shows(good("push", create.formatted("pushed")), "applied");
    Cli.Result reverted =
        ask(
            "push",
            "{\"event\":\"create-volume\",\"name\":\"x\",\"size\":1,\"fault\":\"last-step\"}");
    assertEquals(1, reverted.status(), reverted::all);
    shows(reverted, "reverted", "fails on purpose");
    Cli.Result bad = ask("push", "{\"event\":\"fly\"}");
    assertEquals(2, bad.status(), bad::all);
    assertTrue(bad.err().contains("must be one of"), bad::all);
  }

  @Test
  @DisplayName("which step of which event failed: history --failed, then the event")
  void failedStep() {
    shows(good("history", "--failed"), "create-volume", "reverted", "fails on purpose");
    shows(
        good("history", "2"),
        "event 2, create-volume",
        "fail-on-purpose",
        "failed",
        "undone",
        "demo-fault");
    shows(good("history", "--since=-1h", "--type=create-volume", "--limit=1"), "more:");
    String start = running.get("/api/v1/events/2").json().get("start").asString();
    shows(good("history", "--at=" + start), "doomed");
    shows(good("history", "--from=0", "--to=1"), "datastore-resync");
  }

  @Test
  @DisplayName("why a value is pending: explain")
  void explain() {
    shows(
        good("explain", "/example/port/br0/eth0"),
        "pending",
        "it waits for the interface (/example/nic/eth0, which is not there)",
        "external-change");
    shows(good("explain", "doomed"), "absent", "fail-on-purpose", "repeat the request");
    shows(good("explain", "data-1"), "created", "all is well");
    Cli.Result none = ask("explain", "/no/such");
    assertEquals(1, none.status(), none::all);
    assertTrue(none.err().contains("/no/such"), none::all);
  }

  @Test
  @DisplayName("txn, values, graph, volumes, locks")
  void lists(@TempDir Path files) throws IOException {
    shows(good("txn"), "applied", "external-change");
    shows(good("txn", "1"), "transaction 1", "/example/port/br0/eth0");
    shows(good("values", "--state=pending"), "/example/port/br0/eth0", "/example/nic/eth0");
    shows(good("values", "/example/", "--limit=1"), "more: --after");
    shows(good("graph"), "after transaction", "/example/bridge/br0");
    shows(good("graph", "--format=dot"), "digraph");
    Path svg = files.resolve("graph.svg");
    good("graph", "--format=svg", "--to=" + svg);
    assertTrue(Files.readString(svg).startsWith("<svg"));
    shows(good("volumes"), "data-1", "created");
    shows(good("locks"), "operations", "locks", "back-off", "none");
  }

  @Test
  @DisplayName("resync and log change something and say what")
  void control() {
    shows(good("resync"), "full-resync", "applied");
    shows(good("resync", "--downstream"), "healing-resync", "applied");
    String logger = "dev.evenkeel.test.AskTest";
    shows(good("log", logger, "debug"), logger, "debug");
    assertFalse(good("log", logger, "inherit").out().contains(logger));
    shows(good("log"), "root");
    assertEquals(2, ask("log", logger).status());
    assertEquals(2, ask("log", logger, "loud").status());
  }

  @Test
  @DisplayName("--output json and yaml give the whole answer")
  void forms() {
    String json = good("history", "2", "--output=json").out();
    assertEquals(2, Running.JSON.readTree(json).get("sequence").asInt());
    String yaml = good("history", "2", "--output=yaml").out();
    assertTrue(yaml.contains("sequence: 2\n"), yaml);
    String txn = good("txn", "1", "--output=json").out();
    assertEquals(1, Running.JSON.readTree(txn).get("number").asInt());
    assertTrue(good("status", "--color=always").out().contains("\u001b["));
    assertFalse(good("status", "--color=never").out().contains("\u001b["));
  }

  @Test
  @DisplayName("report: a zip with all parts; an existing file is left alone")
  void report(@TempDir Path files) throws IOException {
    Path zip = files.resolve("report.zip");
    good("report", "--to=" + zip);
    TreeSet<String> names = new TreeSet<>();
    try (ZipFile read = new ZipFile(zip.toFile())) {
      read.stream().forEach(entry -> names.add(entry.getName().replaceAll(".*/", "")));
    }
    assertTrue(
        names.containsAll(
            List.of(
                "status.json",
                "events.json",
                "transactions.txt",
                "graph.svg",
                "metrics.txt",
                "doctor.json",
                "config.json")),
        names::toString);
    assertTrue(names.stream().noneMatch(name -> name.endsWith(".missing")), names::toString);
    Cli.Result again = ask("report", "--to=" + zip);
    assertEquals(3, again.status(), again::all);
  }

  @ParameterizedTest
  @ValueSource(strings = {"history 4711", "txn 4711", "values --key=/no/such", "graph --txn=4711"})
  @DisplayName("what is not there is told in one line, with exit status 1")
  void notThere(String line) {
    Cli.Result result = ask(line.split(" "));
    assertEquals(1, result.status(), result::all);
    assertEquals(1, result.err().lines().count(), result::all);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "history --since=yesterday",
        "history x",
        "values --state=sad",
        "txn --limit=0",
        "graph --format=png",
        "resync --wait=100",
        "explain"
      })
  @DisplayName("a wrong question is an error of use, with exit status 2")
  void wrong(String line) {
    Cli.Result result = ask(line.split(" "));
    assertEquals(2, result.status(), result::all);
    assertFalse(result.err().isBlank());
  }

  @Test
  @DisplayName("where nobody answers is told with what to do, with exit status 3")
  void nobody(@TempDir Path empty) {
    for (Cli.Result result :
        List.of(
            Cli.run("status", "--url=http://127.0.0.1:1"),
            Cli.run("status", "--state-dir=" + empty),
            Cli.run("status", "--url=no address"))) {
      assertEquals(3, result.status(), result::all);
      assertEquals(1, result.err().lines().count(), result::all);
    }
    Cli.Result found = Cli.run("status", "--state-dir=" + folder.resolve("state"));
    assertEquals(0, found.status(), found::all);
  }
}
