package dev.evenkeel.app.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only a process of its own can show: a state directory in use, signals, a full disk. */
class ProcessTest {
  private static final String CREATE =
      "{\"event\":\"create-volume\",\"name\":\"%s\",\"size\":\"1MiB\"}\n";

  @TempDir private static Path shared;
  @TempDir private Path folder;

  @SuppressWarnings("NullAway.Init") // set before all
  private static App app;

  @BeforeAll
  static void makeApp() throws IOException, InterruptedException {
    app = App.in(shared);
  }

  @Test
  @DisplayName("a second run on the same state directory is refused, and the first one goes on")
  void secondRun() throws Exception {
    Path state = folder.resolve("state");
    Process first = app.start(fromStdin(state));
    Writer input = first.outputWriter(StandardCharsets.UTF_8);
    try (BufferedReader lines = first.inputReader(StandardCharsets.UTF_8)) {
      send(input, "one");
      readUntil(lines, "applied");

      App.Result second = app.run("run", "--events", "-", "--state-dir", state.toString());

      assertEquals(3, second.status(), second::output);
      assertTrue(second.output().contains("in use"), second::output);
      assertTrue(second.output().contains(state.toString()), second::output);
      send(input, "two");
      readUntil(lines, "applied");
      input.close();
      readUntil(lines, "2 events, all as expected");
      assertEquals(0, first.waitFor());
    }
  }

  @Test
  @DisplayName("SIGTERM ends a run that waits for input in good order, and the next one goes on")
  void sigterm() throws Exception {
    Path state = folder.resolve("state");
    Process process = app.start(fromStdin(state));
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        Writer input = process.outputWriter(StandardCharsets.UTF_8)) {
      send(input, "one");
      readUntil(lines, "applied");

      process.destroy();

      assertTrue(process.waitFor(10, TimeUnit.SECONDS));
      assertEquals(128 + 15, process.exitValue());
    }
    Path again = Files.writeString(folder.resolve("again.jsonl"), CREATE.formatted("one"));
    App.Result result =
        app.run("run", "--events", again.toString(), "--state-dir", state.toString());
    assertEquals(0, result.status(), result::output);
    assertTrue(result.output().contains("1 volume,"), result::output);
  }

  @Test
  @DisplayName("run without events answers until SIGTERM, which ends it in good order")
  void service() throws Exception {
    Path state = folder.resolve("state");
    Process process =
        app.start(List.of("run", "--state-dir", state.toString(), "--http=0", "--demo-switch"));
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      readUntil(lines, "Listening on http://127.0.0.1:");
      App.Result status = app.run("status", "--state-dir", state.toString());
      assertEquals(0, status.status(), status::output);
      App.Result wrong = app.run("history", "--limit=0", "--state-dir", state.toString());
      assertEquals(2, wrong.status(), wrong::output);

      assertTrue(process.toHandle().destroy());

      assertEquals(128 + 15, process.waitFor());
    }
    App.Result gone = app.run("status", "--state-dir", state.toString());
    assertEquals(3, gone.status(), gone::output);
    assertFalse(Files.exists(state.resolve("http")));
  }

  @Test
  @DisplayName("SIGTERM lets the running event end, runs no further one, and checks the disk")
  void sigtermInTheMiddle() throws Exception {
    Path state = folder.resolve("state");
    StringBuilder events = new StringBuilder();
    for (int i = 0; i < 2000; i++) {
      events.append(CREATE.formatted("volume-" + i));
    }
    Path file = Files.writeString(folder.resolve("many.jsonl"), events);
    Process process =
        app.start(List.of("run", "--events", file.toString(), "--state-dir", state.toString()));
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      readUntil(lines, "applied, as expected");

      // Not through the process itself, which would close the stream that is still to be read.
      assertTrue(process.toHandle().destroy());

      readUntil(lines, "The run was called off");
      readUntil(lines, "all as expected; the disk holds what the history says");
      assertEquals(128 + 15, process.waitFor());
    }
  }

  @Test
  @DisplayName("a full disk stops the run with a clear error, and with room the same run ends well")
  void fullDisk() throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    assumeTrue(
        canMountOn(disk), "NOT TESTED: a full disk, since no file system can be mounted here");
    Path workload = folder.resolve("many.jsonl");
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 12; i++) {
      lines.append(CREATE.formatted("volume-" + i));
    }
    Files.writeString(workload, lines);
    Path state = disk.resolve("state");
    List<String> run =
        app.command(
            List.of("run", "--events", workload.toString(), "--state-dir", state.toString()));
    String script =
        "mount -t tmpfs -o size=64m tmpfs \"$1\" || exit 77; disk=$1; shift;"
            + " head -c 56M /dev/zero >\"$disk/filler\"; \"$@\"; first=$?;"
            + " rm \"$disk/filler\"; echo MORE ROOM; \"$@\" || exit 78; exit $first";
    List<String> command = new ArrayList<>(List.of("unshare", "-rm", "sh", "-c", script, "sh"));
    command.add(disk.toString());
    command.addAll(run);

    App.Result result = App.end(new ProcessBuilder(command).redirectErrorStream(true).start());

    assertEquals(3, result.status(), result::output);
    String first = result.output().substring(0, result.output().indexOf("MORE ROOM"));
    assertTrue(first.contains("evenkeel: The disk of the state directory"), first);
    assertTrue(first.contains("is full"), first);
    assertFalse(first.contains("[2/12]"), "it went on: " + first);
    assertFalse(first.contains("\tat "), first);
  }

  /** In a name space of its own, so that nothing stays mounted, whatever happens. */
  private static boolean canMountOn(Path folder) throws InterruptedException {
    try {
      List<String> mount =
          List.of("unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", folder.toString());
      return App.end(new ProcessBuilder(mount).redirectErrorStream(true).start()).status() == 0;
    } catch (IOException noSuchProgram) {
      return false;
    }
  }

  private static List<String> fromStdin(Path state) {
    return List.of("run", "--events", "-", "--state-dir", state.toString());
  }

  private static void send(Writer input, String name) throws IOException {
    input.write(CREATE.formatted(name));
    input.flush();
  }

  private static void readUntil(BufferedReader lines, String text) throws IOException {
    StringBuilder seen = new StringBuilder();
    for (String line = lines.readLine(); ; line = lines.readLine()) {
      assertTrue(line != null, () -> "ended before '" + text + "': " + seen);
      seen.append(line).append('\n');
      if (line.contains(text)) {
        return;
      }
    }
  }
}
