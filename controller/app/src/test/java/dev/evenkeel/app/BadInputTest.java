package dev.evenkeel.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What goes wrong before, beside and below a workload; each with its words and its exit status. */
class BadInputTest {
  private static final String GOOD =
      "{\"event\":\"create-volume\",\"name\":\"a\",\"size\":\"1MiB\"}\n";

  @TempDir private Path folder;

  static Stream<String> badLines() {
    return Stream.of(
        "{\"event\":\"create-volume\",",
        "{\"event\":\"fly\",\"name\":\"b\"}",
        "{\"event\":\"create-volume\",\"name\":\"b\"}",
        "{\"event\":\"create-volume\",\"name\":\"b\",\"size\":-1}",
        "{\"event\":\"create-volume\",\"name\":\"../x\",\"size\":1}",
        "{\"event\":\"create-volume\",\"name\":\"" + "n".repeat(10_000) + "\",\"size\":1}");
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("badLines")
  @DisplayName("a bad line is told, ends invalid, and the run goes on and fails as a whole")
  void badLine(String line) throws IOException {
    Path file = file(line + "\n" + GOOD);

    Cli.Result result = run(file, folder.resolve("state"));

    assertEquals(1, result.status(), result::all);
    assertTrue(result.out().contains(file + ":1: "), result::all);
    assertTrue(result.out().contains("invalid, where applied was expected"), result::all);
    assertTrue(result.out().contains("2 events, 1 NOT as expected"), result::all);
    assertTrue(result.out().contains("history says: 1 volume, 0 snapshots"), result::all);
    assertFalse(Files.exists(folder.resolve("x")), "a name became a path");
  }

  @Test
  @DisplayName("a file of events that does not exist, or is a directory, is an error of use")
  void noSuchFile() {
    Path state = folder.resolve("state");

    Cli.Result missing = run(folder.resolve("missing.jsonl"), state);
    Cli.Result directory = run(folder, state);

    assertEquals(2, missing.status(), missing::all);
    assertEquals(2, missing.err().lines().count(), missing::all);
    assertTrue(missing.err().contains("missing.jsonl does not exist"), missing::all);
    assertEquals(2, directory.status(), directory::all);
    assertFalse(Files.exists(state), "nothing was begun");
  }

  @Test
  @DisplayName("missing options are an error of use")
  void missingOptions() {
    Cli.Result result = Cli.run("run");

    assertEquals(2, result.status(), result::all);
    assertTrue(result.err().contains("--state-dir"), result::all);
  }

  @Test
  @DisplayName("a configuration with faults is an error of use that tells all of them")
  void badConfiguration() throws IOException {
    Path file = Files.writeString(folder.resolve("loop.yaml"), "capacity: 0\nhttp: here\n");

    Cli.Result result =
        Cli.run(
            "run",
            "--config=" + file,
            "--set=workers=x",
            "--set=httpTokenFile=/no/such",
            "--state-dir=" + folder.resolve("state"));

    assertEquals(2, result.status(), result::all);
    assertTrue(result.err().contains(file + ":1: capacity = 0"), result::all);
    assertTrue(result.err().contains(file + ":2: http = here"), result::all);
    assertTrue(result.err().contains("workers = x: must be a whole number"), result::all);
    assertTrue(result.err().contains("httpTokenFile = /no/such"), result::all);
    assertFalse(Files.exists(folder.resolve("state")), "nothing was begun");
  }

  @Test
  @DisplayName("an empty name, such as an unset variable gives, is an error of use")
  void emptyNames() throws IOException {
    String file = file(GOOD).toString();

    for (Cli.Result result :
        List.of(
            Cli.run("run", "--events", file, "--state-dir="),
            Cli.run("run", "--events=", "--state-dir", folder.resolve("state").toString()),
            Cli.run("demo", "--state-dir="))) {
      assertEquals(2, result.status(), result::all);
      assertTrue(result.err().contains("must not be empty"), result::all);
    }
  }

  @Test
  @DisplayName("a state directory below a file cannot be used")
  void belowFile() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");

    refused(file.resolve("state"), "Not a directory");
    refused(file, "is a file; name a directory");
  }

  @Test
  @DisplayName("a state directory that nobody may write cannot be used")
  void unwritable() {
    // Not even root may make a directory there.
    refused(Path.of("/proc/evenkeel/state"), "cannot be used");
  }

  @Test
  @DisplayName("a directory with other things in it is left alone")
  void othersDirectory() throws IOException {
    Path state = Files.createDirectory(folder.resolve("others"));
    Files.writeString(state.resolve("letter"), "dear");

    refused(state, "holds other things");
    try (Stream<Path> left = Files.list(state)) {
      assertEquals(1, left.count());
    }
  }

  @Test
  @DisplayName("a state directory of a newer layout is left alone")
  void newerLayout() throws IOException {
    Path state = Files.createDirectory(folder.resolve("newer"));
    Files.writeString(state.resolve("layout"), "2\n");

    refused(state, "has layout 2, this build knows 1");
  }

  @Test
  @DisplayName("demo faults are refused without their option")
  void faultsNeedTheirOption() throws IOException {
    Path file =
        file(
            "{\"event\":\"create-volume\",\"name\":\"a\",\"size\":1,\"fault\":\"last-step\","
                + "\"expect\":\"reverted\"}");

    Cli.Result without = run(file, folder.resolve("without"));
    Cli.Result with =
        Cli.run(
            "run",
            "--demo-faults",
            "--events",
            file.toString(),
            "--state-dir",
            folder.resolve("with").toString());

    assertEquals(1, without.status(), without::all);
    assertTrue(without.out().contains("--demo-faults"), without::all);
    assertEquals(0, with.status(), with::all);
  }

  private void refused(Path state, String reason) {
    Cli.Result result;
    try {
      result = run(file(GOOD), state);
    } catch (IOException unexpected) {
      throw new java.io.UncheckedIOException(unexpected);
    }
    assertEquals(3, result.status(), result::all);
    assertTrue(result.err().startsWith("evenkeel: "), result::all);
    assertTrue(result.err().contains(state.toString()), result::all);
    assertTrue(result.err().contains(reason), result::all);
    assertEquals(1, result.err().lines().count(), result::all);
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("events.jsonl"), text);
  }

  private static Cli.Result run(Path events, Path state) {
    return Cli.run("run", "--events", events.toString(), "--state-dir", state.toString());
  }
}
