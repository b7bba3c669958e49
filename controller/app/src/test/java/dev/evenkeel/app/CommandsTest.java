package dev.evenkeel.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that need no running controller. */
class CommandsTest {
  @TempDir private Path folder;

  @Test
  @DisplayName(
      "config check tells all faults with their lines; config show tells what holds and why")
  void config() throws IOException {
    Path bad =
        Files.writeString(
            folder.resolve("bad.yaml"), "capacity: 500\nstartup-deadline: 5\nworkers: none\n");
    Cli.Result told = Cli.run("config", "check", "--config=" + bad);
    assertEquals(2, told.status(), told::all);
    assertTrue(told.err().contains(bad + ":2: startup-deadline"), told::all);
    assertTrue(told.err().contains("write startupDeadline"), told::all);
    assertTrue(told.err().contains(bad + ":3: workers = none"), told::all);

    Path good = Files.writeString(folder.resolve("good.json"), "{\"capacity\": 500}");
    assertEquals(0, Cli.run("config", "check", "--config=" + good).status());
    Cli.Result shown = Cli.run("config", "show", "--config=" + good, "--set=workers=4");
    assertTrue(shown.out().contains("capacity: 500  # " + good + ":1"), shown::all);
    assertTrue(shown.out().contains("workers: 4  # --set workers"), shown::all);
    assertTrue(shown.out().contains("historyBytes: 64 MiB  # default"), shown::all);
    Cli.Result json = Cli.run("config", "show", "--set=workers=4", "--output=json");
    assertTrue(json.out().contains("{\"workers\"") || json.out().contains("\"workers\":{"));
    assertEquals(2, Cli.run("config").status());
    assertEquals(2, Cli.run("config", "check", "--config=" + folder.resolve("none.yaml")).status());
  }

  @Test
  @DisplayName("doctor looks at this machine, and leaves nothing behind")
  void doctor() throws IOException {
    Cli.Result result = Cli.run("doctor", "--state-dir=" + folder.resolve("state"));
    for (String what :
        List.of("java", "fsync", "reflink", "loop devices", "socket path", "clock")) {
      assertTrue(result.out().contains(what), result::all);
    }
    assertEquals(0, result.status(), result::all);
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(0, left.count());
    }
    Cli.Result json = Cli.run("doctor", "--state-dir=/proc/no", "--output=json");
    assertEquals(1, json.status(), json::all);
    assertTrue(json.out().startsWith("{\"findings\":["), json::all);
  }

  @Test
  @DisplayName("completion is a script that bash takes, and knows every command")
  void completion() throws Exception {
    Cli.Result result = Cli.run("completion");
    Path script = Files.writeString(folder.resolve("completion.bash"), result.out());
    Process bash = new ProcessBuilder("bash", "-n", script.toString()).inheritIO().start();
    assertTrue(bash.waitFor(60, TimeUnit.SECONDS));
    assertEquals(0, bash.exitValue());
    for (String command : Main.commandLine().getSubcommands().keySet()) {
      assertTrue(result.out().contains(command), command);
    }
  }

  @Test
  @DisplayName("the launcher's help names every command of the app")
  void launcherKnowsAll() throws IOException {
    String launcher = Files.readString(Cli.ROOT.resolve("evenkeel"));
    String list = launcher.substring(launcher.indexOf("is_app_command() {"));
    for (String command : Main.commandLine().getSubcommands().keySet()) {
      assertTrue(
          list.substring(0, list.indexOf("esac")).matches("(?s).*[ |]" + command + "[ |)].*"),
          "is_app_command does not know " + command);
    }
  }

  @Test
  @DisplayName("output that cannot be written is a failure, whatever else went well")
  void lostOutput() {
    PrintWriter full =
        new PrintWriter(
            new Writer() {
              @Override
              public void write(char[] text, int from, int length) throws IOException {
                throw new IOException("no space left on device");
              }

              @Override
              public void flush() {}

              @Override
              public void close() {}
            });
    int status = Main.commandLine().setOut(full).execute("completion");
    assertEquals(3, Main.status(status, full));
    assertEquals(1, Main.status(1, full), "a failure keeps its own status");
    PrintWriter fine =
        new PrintWriter(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    assertEquals(0, Main.status(0, fine));
  }

  @Test
  @DisplayName("old demos are removed, but for the newest three, the young, and other folders")
  void oldDemos() throws IOException {
    Instant now = Instant.parse("2026-06-01T12:00:00Z");
    for (int i = 0; i < 6; i++) {
      demo("demo-old" + i, now.minus(Duration.ofHours(2 + i)));
    }
    demo("demo-young0", now.minus(Duration.ofMinutes(1)));
    demo("demo-young1", now.minus(Duration.ofMinutes(2)));
    demo("classes", now.minus(Duration.ofDays(9)));

    OldDemos.remove(folder, InstantSource.fixed(now));

    TreeSet<String> left = new TreeSet<>();
    try (Stream<Path> all = Files.list(folder)) {
      all.forEach(path -> left.add(path.getFileName().toString()));
    }
    assertEquals(
        new TreeSet<>(List.of("classes", "demo-old0", "demo-young0", "demo-young1")), left);
    assertFalse(Files.exists(folder.resolve("demo-old5/store/file")));
  }

  private void demo(String name, Instant time) throws IOException {
    Path demo = folder.resolve(name);
    Files.writeString(Files.createDirectories(demo.resolve("store")).resolve("file"), "x");
    Files.setLastModifiedTime(demo, FileTime.from(time));
  }
}
