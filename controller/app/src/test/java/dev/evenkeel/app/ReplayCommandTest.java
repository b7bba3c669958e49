package dev.evenkeel.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The command replay")
final class ReplayCommandTest {
  @TempDir static Path folder;
  private static Path recording;

  @BeforeAll
  static void record() {
    recording = folder.resolve("recording");
    String state = folder.resolve("state").toString();
    Cli.Result demo = Cli.run("demo", "--state-dir", state, "--record", recording.toString());
    assertEquals(0, demo.status(), demo::all);
  }

  @Test
  @DisplayName("finds no difference in a recording of the demo, and leaves it as it is")
  void same() {
    Cli.Result result = Cli.run("replay", recording.toString());
    assertEquals(0, result.status(), result::all);
    assertTrue(result.out().contains("every decision is the same"), result::all);
  }

  @Test
  @DisplayName("replays a part of it")
  void part() {
    Cli.Result result = Cli.run("replay", recording.toString(), "--from", "3", "--to", "9");
    assertEquals(0, result.status(), result::all);
  }

  @Test
  @DisplayName("tells the first difference: file, turn, field, both, and the likely cause")
  void different() throws Exception {
    Path plain = folder.resolve("changed.jsonl");
    String text = Files.readString(recording.resolve("segment-000001.jsonl"));
    // Lines without check sums are those of the first version, as a person would edit them.
    String edited =
        text.replaceAll("(?m)^\\{\"c\":\"[0-9a-f]{8}\",\"l\":(.*)\\}$", "$1")
            .replaceFirst("\"outcome\":\"reverted\"", "\"outcome\":\"applied\"");
    Files.writeString(plain, edited);
    Cli.Result result = Cli.run("replay", plain.toString());
    assertEquals(1, result.status(), result::all);
    assertTrue(result.out().startsWith("changed.jsonl: turn "), result::all);
    assertTrue(result.out().contains("outcome: \"applied\" became \"reverted\""), result::all);
    assertTrue(result.out().contains("likely cause: "), result::all);
  }

  @Test
  @DisplayName("refuses what is not there, holds no recording, or makes no sense")
  void refuses() {
    assertEquals(2, Cli.run("replay", folder.resolve("none").toString()).status());
    assertEquals(3, Cli.run("replay", folder.resolve("state").toString()).status());
    assertEquals(2, Cli.run("replay", recording.toString(), "--from", "0").status());
  }

  @Test
  @DisplayName("is not offered a folder that holds a recording already")
  void neverOverwrites() {
    String state = folder.resolve("state").toString();
    Cli.Result demo = Cli.run("demo", "--state-dir", state, "--record", recording.toString());
    assertEquals(3, demo.status(), demo::all);
    assertTrue(demo.err().contains("holds a recording already"), demo::all);
  }
}
