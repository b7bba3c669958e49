package dev.evenkeel.controller.recording;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.InvalidInputException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** Reads a recording turn by turn. A last line that a crash has cut off is left out. */
final class Recording implements AutoCloseable {
  private final BufferedReader in;
  private final Header header;
  private long lines;
  private Optional<SortedMap<String, Object>> ahead = Optional.empty();

  /**
   * A turn.
   *
   * @param number from 1
   * @param at its time
   * @param input what was fed
   * @param decisions what was decided
   */
  record Turn(
      long number,
      Instant at,
      SortedMap<String, Object> input,
      List<SortedMap<String, Object>> decisions) {}

  private Recording(BufferedReader in, Values values) throws IOException {
    this.in = in;
    this.header = Header.from(line().orElseThrow(() -> Trees.malformed("first line")), values);
    this.ahead = line();
  }

  /** Opens a recording; throws when it is none, or of a newer version. */
  static Recording open(Path file, Values values) {
    try {
      return new Recording(Files.newBufferedReader(file), values);
    } catch (IOException failed) {
      throw cannotRead(failed);
    }
  }

  Header header() {
    return header;
  }

  /** The next turn, or empty at the end. */
  Optional<Turn> next() {
    if (ahead.isEmpty()) {
      return Optional.empty();
    }
    SortedMap<String, Object> first = ahead.get();
    List<SortedMap<String, Object>> decisions = new ArrayList<>();
    ahead = line();
    while (ahead.isPresent() && ahead.get().containsKey("out")) {
      decisions.add(Trees.object(ahead.get(), "out"));
      ahead = line();
    }
    return Optional.of(
        new Turn(
            Trees.number(first, "turn"),
            Instant.parse(Trees.text(first, "at")),
            Trees.object(first, "in"),
            decisions));
  }

  private Optional<SortedMap<String, Object>> line() {
    try {
      String text = in.readLine();
      if (text == null) {
        return Optional.empty();
      }
      lines++;
      boolean last = !in.ready();
      try {
        return Optional.of(Trees.object(Values.JSON.parse(text)));
      } catch (InvalidInputException malformed) {
        if (last && lines > 1) {
          return Optional.empty();
        }
        throw new EvenkeelException(
            malformed.kind(), "line " + lines + " of the recording: " + malformed.getMessage());
      }
    } catch (IOException failed) {
      throw cannotRead(failed);
    }
  }

  private static EvenkeelException cannotRead(IOException failed) {
    return new EvenkeelException(
        ErrorKind.UNAVAILABLE, "the recording cannot be read: " + failed.getMessage(), failed);
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException failed) {
      throw cannotRead(failed);
    }
  }
}
