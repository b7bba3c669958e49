package dev.evenkeel.store.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.datastore.BlockingDatastore;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.codec.jackson.JacksonCodecs;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed, and a second process. */
@Timeout(120)
class CrashTest {
  @TempDir Path folder;

  @Test
  @DisplayName("kill -9 at twenty points, each time on the store that the last one left")
  void killed() throws Exception {
    for (int point = 0; point < 20; point++) {
      killAfter(point * 37);
    }
  }

  @Test
  @Tag("long")
  @Timeout(900)
  @DisplayName("kill -9 at two hundred points: nothing acknowledged is lost, no batch is halved")
  void killedOften() throws Exception {
    SplittableRandom random = new SplittableRandom(7);
    for (int point = 0; point < 200; point++) {
      killAfter(random.nextInt(1000));
    }
  }

  private void killAfter(int acknowledgements) throws Exception {
    Path store = folder.resolve("store");
    Process child = Child.begin(store, scratch());
    int acknowledged = -1;
    try (BufferedReader lines = Child.linesOf(child)) {
      assertEquals("open", lines.readLine());
      while (acknowledged < acknowledgements) {
        acknowledged = Integer.parseInt(Objects.requireNonNull(lines.readLine()));
      }
      // Not the process's own destroyForcibly, which closes what is still to be read.
      assertTrue(child.toHandle().destroyForcibly());
      // What it said before it died counts, too; its last line may be cut off.
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        acknowledged =
            line.equals(Integer.toString(acknowledged + 1)) ? acknowledged + 1 : acknowledged;
      }
    } finally {
      child.destroyForcibly().waitFor();
    }
    try (LocalDatastore reopened = LocalDatastore.open(store, new JacksonCodecs())) {
      check(reopened.blocking(), acknowledged);
    }
  }

  static void check(BlockingDatastore calls, int acknowledged) {
    for (int number = 0; number <= acknowledged + 20; number++) {
      var left = calls.find(Child.left(number), Call.usual());
      var right = calls.find(Child.right(number), Call.usual());
      assertEquals(left.isPresent(), right.isPresent(), "a batch was halved: " + number);
      assertTrue(left.isPresent() || number > acknowledged, "lost: " + number);
      if (left.isPresent()) {
        assertEquals(left.get().revision(), right.orElseThrow().revision());
      }
    }
    var list = calls.list(ListOptions.all(NameKey.VOLUMES), Call.usual());
    long highest =
        list.items().stream().mapToLong(p -> Long.parseLong(p.revision().text())).max().orElse(1);
    assertEquals(Long.toString(highest), list.revision().text());
  }

  @Test
  @DisplayName("a second process is refused, told who has the store, and may have it afterwards")
  void secondProcess() throws Exception {
    Path store = folder.resolve("store");
    Process child = Child.begin(store, scratch());
    try (BufferedReader lines = Child.linesOf(child)) {
      assertEquals("open", lines.readLine());
      var refused =
          assertThrows(
              DatastoreException.class, () -> LocalDatastore.open(store, new JacksonCodecs()));
      assertEquals(ErrorKind.FAILED_PRECONDITION, refused.kind());
      assertTrue(
          refused.toString().contains("in use by another process (pid " + child.pid() + ")"),
          refused.toString());
    } finally {
      child.destroyForcibly().waitFor();
    }
    LocalDatastore.open(store, new JacksonCodecs()).close();
  }

  private Path scratch() throws IOException {
    return Files.createDirectories(folder.resolve("scratch"));
  }
}
