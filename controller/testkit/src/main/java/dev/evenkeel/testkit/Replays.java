package dev.evenkeel.testkit;

import static org.junit.jupiter.api.Assertions.fail;

import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.controller.recording.Difference;
import dev.evenkeel.controller.recording.RecordingCodec;
import dev.evenkeel.controller.recording.Replayer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Replays recordings with the handlers as they are now, in one line of a test: fails with the first
 * decision that is another one than was recorded. Runs no effect. Called by tests; blocks.
 */
public final class Replays {
  private Replays() {}

  /** One recording. */
  public static void verify(Path recording, RecordingCodec codec, EventHandler... handlers) {
    Replayer replayer = Replayer.of(codec, List.of(handlers));
    replayer.replay(recording).ifPresent(difference -> fail(text(recording, difference)));
  }

  /**
   * Every recording in a folder, tells of all that differ: files {@code *.jsonl}, and folders of
   * segments; or the folder is such a one itself.
   */
  public static void verifyAll(Path folder, RecordingCodec codec, EventHandler... handlers) {
    Replayer replayer = Replayer.of(codec, List.of(handlers));
    List<String> different = new ArrayList<>();
    List<Path> recordings = recordings(folder);
    for (Path recording : recordings) {
      Optional<Difference> difference = replayer.replay(recording);
      difference.ifPresent(d -> different.add(text(recording, d)));
    }
    if (recordings.isEmpty()) {
      fail(folder + " holds no recording");
    }
    if (!different.isEmpty()) {
      fail(String.join("\n", different));
    }
  }

  private static List<Path> recordings(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> all = files.sorted().toList();
      return all.stream().anyMatch(Replays::isSegment)
          ? List.of(folder)
          : all.stream().filter(Replays::isRecording).toList();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static boolean isRecording(Path file) {
    return file.toString().endsWith(".jsonl") || (Files.isDirectory(file) && holdsSegments(file));
  }

  private static boolean holdsSegments(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.anyMatch(Replays::isSegment);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static boolean isSegment(Path file) {
    return file.getFileName().toString().startsWith("segment-");
  }

  private static String text(Path recording, Difference difference) {
    return recording.getFileName() + ": " + difference;
  }
}
