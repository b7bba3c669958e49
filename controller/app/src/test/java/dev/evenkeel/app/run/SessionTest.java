package dev.evenkeel.app.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.loop.EventLoop;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.Volume;
import dev.evenkeel.app.readme.ShelfHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir private Path folder;

  @Test
  @DisplayName("README's handler takes part in a create, and takes its card back when that fails")
  void readmeHandler() throws Exception {
    Path shelf = Files.createDirectory(folder.resolve("shelf"));
    StateDir dir = StateDir.open(folder.resolve("state"));
    try (Session session = Session.open(dir, List.of(new ShelfHandler(shelf)))) {
      session.loop().pushEvent(DatastoreResync.of(InputState.empty())).await(LIMIT).throwIfFailed();
      assertEquals(
          "a", session.loop().pushEvent(CreateVolume.of("a", 1)).await(LIMIT).orThrow().name());
      assertEquals("volume a, 1 bytes", Files.readString(shelf.resolve("a")));

      session.faults().arm("b");
      String word = session.loop().pushEvent(CreateVolume.of("b", 1)).await(LIMIT).word();

      assertEquals("reverted", word);
      assertFalse(Files.exists(shelf.resolve("b")));
    }
  }

  @Test
  @DisplayName(
      "the failing create leaves no directory, no record and no lock; history says what was undone")
  void failingCreateLeavesNothing() throws Exception {
    StateDir dir = StateDir.open(folder.resolve("state"));
    try (Session session = Session.open(dir, List.of())) {
      EventLoop loop = session.loop();
      loop.pushEvent(DatastoreResync.of(InputState.empty())).await(LIMIT).throwIfFailed();
      List<String> before = tree(dir.volumes());
      session.faults().arm("doomed");

      Outcome<Volume> outcome = loop.pushEvent(CreateVolume.of("doomed", 1)).await(LIMIT);

      assertEquals("reverted", outcome.word());
      assertEquals(before, tree(dir.volumes()));
      Records records = Records.in(session.store());
      assertEquals(Map.of(), records.volumes());
      assertEquals(Map.of(), records.volumeNames());
      assertEquals(List.of(), records.begun());
      EventRecord record = loop.history().last(1).get(0);
      assertEquals(
          List.of(
              "DONE create-image",
              "DONE write-metadata",
              "FAILED fail-on-purpose",
              "UNDONE write-metadata",
              "UNDONE create-image"),
          record.transaction().orElseThrow().steps().stream()
              .map(step -> step.act() + " " + step.name().replaceAll(":.*", ""))
              .toList());

      session.faults().disarm("doomed");
      assertEquals("applied", loop.pushEvent(CreateVolume.of("doomed", 1)).await(LIMIT).word());
    }
  }

  private static List<String> tree(Path root) throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      return paths.map(Path::toString).sorted().toList();
    }
  }

  @Test
  @DisplayName("a session that cannot be opened leaves nothing open behind it")
  void failedOpen() throws Exception {
    StateDir dir = StateDir.open(folder.resolve("state"));
    Path letter = Files.createDirectories(dir.volumes()).resolve("letter");
    Files.writeString(letter, "not ours");

    CannotGoOnException refused =
        assertThrows(CannotGoOnException.class, () -> Session.open(dir, List.of()).close());
    assertTrue(String.valueOf(refused.getMessage()).contains("letter"));

    Files.delete(letter);
    Session.open(dir, List.of()).close();
  }
}
