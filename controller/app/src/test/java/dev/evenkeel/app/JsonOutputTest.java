package dev.evenkeel.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

class JsonOutputTest {
  @TempDir private Path folder;

  @Test
  @DisplayName("--output json writes one object for each line, and one for the run")
  void oneObjectForEachLine() throws Exception {
    Path events =
        Files.writeString(
            folder.resolve("events.jsonl"),
            """
            {"event":"create-volume","name":"größe","size":"1MiB"}
            {"event":"create-volume","name":"b","size":1,"fault":"last-step","expect":"reverted"}
            none
            """);

    Cli.Result result =
        Cli.run(
            "run",
            "--output=json",
            "--demo-faults",
            "--events=" + events,
            "--state-dir=" + folder.resolve("state"));

    assertEquals(1, result.status(), result::all);
    assertTrue(StandardCharsets.US_ASCII.newEncoder().canEncode(result.out()), result::all);
    List<String> shown =
        result.out().lines().filter(line -> !line.startsWith("{\"show\":\"aside\"")).toList();
    shown.forEach(JsonOutputTest::parse);
    assertEquals(5, shown.size(), result::all);
    has(shown.get(0), "\"show\":\"begin\"");
    has(shown.get(1), "\"subject\":\"volume/gr\\u00F6\\u00DFe\"", "\"asExpected\":true");
    has(shown.get(2), "\"ended\":\"reverted\"", "\"asExpected\":true", "\"act\":\"undone\"");
    has(shown.get(3), "\"ended\":\"invalid\"", "\"asExpected\":false", "events.jsonl:3: ");
    has(shown.get(4), "\"show\":\"summary\"", "\"events\":3", "\"unexpected\":1");
  }

  private static void has(String line, String... parts) {
    for (String part : parts) {
      assertTrue(line.contains(part), () -> part + " is not in " + line);
    }
  }

  private static void parse(String line) {
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), line)) {
      while (parser.nextToken() != null) {
        assertTrue(parser.currentLocation().getLineNr() == 1, line);
      }
    }
  }
}
