package dev.evenkeel.app.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.app.Cli;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the demo at random points and runs it again. The seed is printed; {@code -Dcrash.seed=N}
 * takes the same points once more, as far as the machine allows.
 */
class CrashTest {
  private static final int KILLED = 128 + 9;

  @TempDir private Path folder;

  @Test
  @DisplayName("G1 the demo killed at 20 random points and run again ends as an undisturbed run")
  void killedAnywhere() throws Exception {
    kill(20, 1);
  }

  @Test
  @Tag("long")
  @DisplayName("G2 the same, 100 times, when the run that goes on is killed, too")
  void killedAgainAndAgain() throws Exception {
    kill(100, 3);
  }

  private void kill(int times, int each) throws Exception {
    long seed = Long.getLong("crash.seed", System.nanoTime());
    App app = App.in(folder);
    Path undisturbed = folder.resolve("undisturbed");
    long usual = window(app, undisturbed);
    List<String> expected = StateDump.of(undisturbed);
    Random random = new Random(seed);
    List<Callable<Void>> kills = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      Path state = folder.resolve("killed-" + i);
      List<Long> delays = random.doubles(each).mapToObj(d -> (long) (d * usual)).toList();
      String about = "seed " + seed + ", number " + i + ", kills at " + delays + " ns";
      kills.add(
          () -> {
            for (long delay : delays) {
              kill(app, state, delay, about);
            }
            repeat(state, expected, about);
            return null;
          });
    }

    ExecutorService pool = Executors.newFixedThreadPool(2);
    try {
      for (Future<Void> kill : pool.invokeAll(kills)) {
        kill.get();
      }
    } finally {
      pool.shutdownNow();
    }
  }

  /** How long the demo takes, from its first line to its end. */
  private static long window(App app, Path state) throws IOException, InterruptedException {
    Process process = app.start(demo(state));
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      String first = lines.readLine();
      long begun = System.nanoTime();
      while (lines.readLine() != null) {
        // Only the end counts.
        assertTrue(process.isAlive() || first != null);
      }
      assertEquals(0, process.waitFor());
      return System.nanoTime() - begun;
    }
  }

  private static void kill(App app, Path state, long delay, String about) throws Exception {
    long wait = delay;
    for (int status = -1; status != KILLED; wait /= 2) {
      Process process = app.start(demo(state));
      try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
        assertTrue(String.valueOf(lines.readLine()).startsWith("evenkeel demo"), about);
        if (!process.waitFor(wait, TimeUnit.NANOSECONDS)) {
          process.destroyForcibly();
        }
        status = process.waitFor();
      }
      // A run that was faster than the kill has changed nothing in what comes next: it converges.
      assertTrue(status == KILLED || status == 0, about + ": status " + status);
    }
  }

  /** Runs it to its end; inside the test, which is warm by then. */
  private static void repeat(Path state, List<String> expected, String about) throws IOException {
    Cli.Result repeated = Cli.run("demo", "--state-dir", state.toString());

    assertEquals(0, repeated.status(), () -> about + "\n" + repeated.all());
    assertEquals(String.join("\n", expected), String.join("\n", StateDump.of(state)), about);
  }

  private static List<String> demo(Path state) {
    return List.of("demo", "--state-dir", state.toString());
  }
}
