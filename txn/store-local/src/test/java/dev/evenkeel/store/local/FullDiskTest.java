package dev.evenkeel.store.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Write;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.NameRecord;
import dev.evenkeel.codec.jackson.JacksonCodecs;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that fills up: a small file system in memory, which only root can mount. */
class FullDiskTest {
  private static final Call CALL = Call.usual();

  @TempDir Path folder;
  private boolean mounted;

  @BeforeEach
  void mount() throws Exception {
    mounted = run("mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", folder.toString()) == 0;
    assumeTrue(mounted, "NOT TESTED: a full disk, since no file system can be mounted here");
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted) {
      List<String> open = openFiles();
      int unmounted = run("umount", folder.toString());
      assertEquals(List.of(), open, "left open");
      assertEquals(0, unmounted);
    }
  }

  private static int run(String... command) throws IOException, InterruptedException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException absent) {
      return -1;
    }
    process.getInputStream().readAllBytes();
    assertTrue(process.waitFor(20, TimeUnit.SECONDS));
    return process.exitValue();
  }

  /** What this process has open below the folder. */
  private List<String> openFiles() throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      for (Path each : all.toList()) {
        if (Files.isSymbolicLink(each)) {
          String target = Files.readSymbolicLink(each).toString();
          if (target.startsWith(folder.toString())) {
            found.add(target);
          }
        }
      }
    } catch (NoSuchFileException gone) {
      // The list's own handle.
      return found;
    }
    return found;
  }

  private void fill(Path filler, int most) throws IOException {
    byte[] block = new byte[64 << 10];
    try (OutputStream out = Files.newOutputStream(filler)) {
      for (int i = 0; i < most; i++) {
        out.write(block);
      }
    } catch (IOException full) {
      assertTrue(String.valueOf(full.getMessage()).contains("No space left"), full.toString());
    }
  }

  private static KeyValue<NameRecord> pair(int number) {
    // Nothing that a database could make smaller.
    StringBuilder text = new StringBuilder(20_000);
    new Random(number).ints(20_000, ' ', '~').forEach(c -> text.append((char) c));
    return KeyValue.of(Child.left(number), new NameRecord(text.toString()));
  }

  @Test
  @DisplayName("a nearly full disk refuses what adds, takes what removes, and keeps everything")
  void nearlyFull() throws IOException {
    Path filler = folder.resolve("filler");
    try (LocalDatastore store = LocalDatastore.open(folder.resolve("s"), new JacksonCodecs())) {
      store.blocking().create(pair(0), CALL);
      fill(filler, 17 * 16);
      EvenkeelException refused = null;
      int written = 1;
      while (refused == null) {
        try {
          store
              .blocking()
              .commit(
                  List.of(),
                  List.of(
                      new Write.Put<>(Child.left(written), new NameRecord("l")),
                      new Write.Put<>(Child.right(written), new NameRecord("r".repeat(20_000)))),
                  CALL);
          written++;
        } catch (EvenkeelException full) {
          refused = full;
        }
      }
      assertEquals(ErrorKind.RESOURCE_EXHAUSTED, refused.kind());
      assertEquals(
          2 * written - 1,
          store.blocking().list(ListOptions.all(NameKey.VOLUMES), CALL).items().size());
      store.blocking().delete(Child.left(0), Revision.NONE, CALL);
      Files.delete(filler);
      store.blocking().create(pair(0), CALL);
    }
  }

  @Test
  @DisplayName("no room at all: opening and writing are refused by type, nothing is half done")
  void full() throws IOException {
    Path filler = folder.resolve("filler");
    Path place = folder.resolve("s");
    int written = 0;
    try (LocalDatastore store = LocalDatastore.open(place, new JacksonCodecs(), 0)) {
      store.blocking().create(pair(written++), CALL);
      fill(filler, Integer.MAX_VALUE);
      int failures = 0;
      while (failures < 3) {
        try {
          store.blocking().create(pair(written), CALL);
          written++;
        } catch (DatastoreException full) {
          failures++;
          assertTrue(
              full.kind() == ErrorKind.RESOURCE_EXHAUSTED
                  || full instanceof DatastoreException.PartialFailure,
              full.toString());
        }
        assertTrue(written < 2_000);
      }
      Files.delete(filler);
      store.blocking().apply(pair(written), CALL);
      for (int i = 0; i <= written; i++) {
        assertEquals(pair(i).value(), store.blocking().get(Child.left(i), CALL).value());
      }
      assertFalse(store.blocking().find(Child.left(written + 1), CALL).isPresent());
    }
    try (LocalDatastore store = LocalDatastore.open(place, new JacksonCodecs())) {
      assertEquals(
          written + 1,
          store.blocking().list(ListOptions.all(NameKey.VOLUMES), CALL).items().size());
    }
    fill(filler, Integer.MAX_VALUE);
    for (Path each : List.of(place, folder.resolve("new"))) {
      try {
        LocalDatastore.open(each, new JacksonCodecs()).close();
        throw new AssertionError("opened on a full disk: " + each);
      } catch (EvenkeelException full) {
        assertEquals(ErrorKind.RESOURCE_EXHAUSTED, full.kind(), full.toString());
      }
    }
    Files.delete(filler);
    LocalDatastore.open(place, new JacksonCodecs()).close();
  }
}
