package dev.evenkeel.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.Handlers;
import dev.evenkeel.controller.recording.Recorder;
import dev.evenkeel.controller.recording.RecordingCodec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A replay")
class ReplaysTest {
  private static final RecordingCodec CODEC = RecordingCodec.withVolumes();

  @TempDir private Path folder;
  private Path file;

  private static EventHandler quiet() {
    return Handlers.named("quiet").resync((event, turn) -> {}).build();
  }

  @BeforeEach
  void record() {
    file = folder.resolve("run.jsonl");
    try (LoopTestKit kit = LoopTestKit.create()) {
      kit.handlers(quiet()).recordTo(file, CODEC).given().given();
    }
  }

  private ErrorKind kindOf(List<String> lines) throws Exception {
    Path changed = Files.write(folder.resolve("changed.jsonl"), lines);
    return assertThrows(EvenkeelException.class, () -> Replays.verify(changed, CODEC, quiet()))
        .kind();
  }

  @Test
  @DisplayName("verifies one recording, or all of a folder, which must hold some")
  void verifies() throws Exception {
    Replays.verify(file, CODEC, quiet());
    Replays.verifyAll(folder, CODEC, quiet());
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertThrows(AssertionError.class, () -> Replays.verifyAll(empty, CODEC, quiet()));
  }

  @Test
  @DisplayName("tells of every recording in a folder that differs")
  void tellsOfAll() throws Exception {
    Files.copy(file, folder.resolve("second.jsonl"));
    String text =
        assertThrows(AssertionError.class, () -> Replays.verifyAll(folder, CODEC)).toString();
    assertTrue(text.contains("run.jsonl: ") && text.contains("second.jsonl: "), text);
  }

  @Test
  @DisplayName("refuses what is no recording, a newer version, and a damaged line, by its number")
  void refuses() throws Exception {
    List<String> lines = Files.readAllLines(file);
    assertEquals(ErrorKind.INVALID, kindOf(List.of("{}", "{}")));
    assertEquals(ErrorKind.INVALID, kindOf(List.of("no JSON", "{}")));
    String newer = "{\"recording\":\"evenkeel\",\"version\":99}";
    assertEquals(ErrorKind.FAILED_PRECONDITION, kindOf(List.of(newer, lines.get(1))));
    assertEquals(ErrorKind.INVALID, kindOf(List.of(lines.get(0), "{\"turn\":", lines.get(1))));
    String flipped = lines.get(1).replace("\"turn\":1", "\"turn\":2");
    assertEquals(ErrorKind.INVALID, kindOf(List.of(lines.get(0), flipped, lines.get(2))));
  }

  @Test
  @DisplayName("leaves out a last line that was cut off")
  void cutOff() throws Exception {
    List<String> lines = Files.readAllLines(file);
    Path cut = folder.resolve("cut.jsonl");
    int last = lines.size() - 1;
    Files.write(cut, lines.subList(0, last));
    Files.writeString(
        cut, lines.get(last).substring(0, 5), java.nio.file.StandardOpenOption.APPEND);
    Replays.verify(cut, CODEC, quiet());
  }

  @Test
  @DisplayName("is of a new file: a recording never overwrites another one")
  void neverOverwrites() {
    EvenkeelException refused =
        assertThrows(EvenkeelException.class, () -> Recorder.to(file, CODEC));
    assertEquals(ErrorKind.ALREADY_EXISTS, refused.kind());
  }
}
