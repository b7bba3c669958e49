package dev.evenkeel.app.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.app.readme.ShelfHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
