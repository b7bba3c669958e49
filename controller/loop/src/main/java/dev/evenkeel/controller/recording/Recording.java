package dev.evenkeel.controller.recording;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads a recording turn by turn: a file, or a folder of segments. A last line that a crash has cut
 * off is left out; damage anywhere else is refused, with its file and line.
 */
final class Recording implements AutoCloseable {
  private final List<Path> files;
  private final Header header;
  private final SortedMap<String, Object> headerTree;
  private int next;
  private @Nullable LineReader in;
  private @Nullable SortedMap<String, Object> ahead;
  private long aheadLine;
  private Optional<SortedMap<String, Object>> states = Optional.empty();
  private boolean closed;

  private Recording(List<Path> files, Values values) throws IOException {
    this.files = files;
    SortedMap<String, Object> first = openNext();
    if (first == null) {
      throw Trees.malformed("first line");
    }
    this.header = Header.from(first, values);
    this.headerTree = plain(first);
    states = statesOf(first);
    step();
  }

  /** Opens a recording; throws when it is none, or of a newer version. */
  static Recording open(Path path, Values values) {
    try {
      List<Path> files = Files.isDirectory(path) ? SegmentFiles.of(path) : List.of(path);
      if (files.isEmpty()) {
        throw new EvenkeelException(ErrorKind.NOT_FOUND, path + " holds no recording");
      }
      return new Recording(files, values);
    } catch (IOException failed) {
      throw cannotRead(failed);
    }
  }

  Header header() {
    return header;
  }

  /** The next turn, or empty at the end. */
  Optional<RecordedTurn> next() {
    SortedMap<String, Object> first = ahead;
    if (first == null) {
      return Optional.empty();
    }
    String file = here();
    long line = aheadLine;
    Optional<SortedMap<String, Object>> before = states;
    states = Optional.empty();
    List<SortedMap<String, Object>> decisions = new ArrayList<>();
    try {
      step();
      SortedMap<String, Object> following = ahead;
      while (following != null && following.containsKey("out")) {
        decisions.add(Trees.object(following, "out"));
        step();
        following = ahead;
      }
    } catch (IOException failed) {
      throw cannotRead(failed);
    }
    return Optional.of(
        new RecordedTurn(
            file,
            line,
            Trees.number(first, "turn"),
            Instant.parse(Trees.text(first, "at")),
            Trees.object(first, "in"),
            decisions,
            before,
            ahead != null || closed));
  }

  private String here() {
    return files.get(next - 1).getFileName().toString();
  }

  /** Reads one line more, and opens the next segment where one ends. */
  private void step() throws IOException {
    SortedMap<String, Object> line = line();
    while (line == null && next < files.size()) {
      SortedMap<String, Object> begins = openNext();
      if (begins == null) {
        break; // The last one, which a crash has cut off in its first line.
      }
      checkFollows(begins);
      states = statesOf(begins);
      line = line();
    }
    ahead = line;
  }

  private void checkFollows(SortedMap<String, Object> begins) {
    if (!plain(begins).equals(headerTree) || Trees.number(begins, "segment") != next) {
      throw new EvenkeelException(
          ErrorKind.INVALID, here() + " does not follow the segment before it");
    }
  }

  private static SortedMap<String, Object> plain(SortedMap<String, Object> header) {
    SortedMap<String, Object> copy = new TreeMap<>(header);
    copy.remove("segment");
    copy.remove("turn");
    copy.remove("states");
    return copy;
  }

  private static Optional<SortedMap<String, Object>> statesOf(SortedMap<String, Object> header) {
    return header.containsKey("states")
        ? Optional.of(Trees.object(header, "states"))
        : Optional.empty();
  }

  private @Nullable SortedMap<String, Object> openNext() throws IOException {
    LineReader before = in;
    if (before != null) {
      before.close();
    }
    in = new LineReader(SegmentFiles.read(files.get(next)));
    next++;
    SortedMap<String, Object> first = line();
    if (first != null && next == 1 && Trees.numberOr(first, "segment", 1) != 1) {
      throw new EvenkeelException(
          ErrorKind.FAILED_PRECONDITION,
          "the recording begins with segment "
              + Trees.number(first, "segment")
              + ": those before it are missing, and a replay begins with the first");
    }
    return first;
  }

  /** One line; null at the end of the file, and in place of a last one that is torn. */
  private @Nullable SortedMap<String, Object> line() throws IOException {
    LineReader reader = in;
    if (reader == null) {
      return null;
    }
    byte[] bytes;
    try {
      bytes = reader.next();
    } catch (IOException damaged) {
      throw new EvenkeelException(
          ErrorKind.INVALID, here() + " is damaged: " + damaged.getMessage(), damaged);
    }
    if (bytes == null) {
      return null;
    }
    aheadLine = reader.number();
    SortedMap<String, Object> tree;
    try {
      tree = Line.parse(bytes);
    } catch (InvalidInputException malformed) {
      boolean last = next == files.size() && reader.isLast() && (next > 1 || aheadLine > 1);
      if (last) {
        return null;
      }
      throw new EvenkeelException(
          malformed.kind(),
          "line " + aheadLine + " of the recording, in " + here() + ": " + malformed.getMessage());
    }
    return marker(tree) ? null : tree;
  }

  private boolean marker(SortedMap<String, Object> tree) {
    if (tree.containsKey("dropped")) {
      throw new EvenkeelException(
          ErrorKind.FAILED_PRECONDITION,
          "line "
              + aheadLine
              + " of "
              + here()
              + ": "
              + Trees.number(tree, "dropped")
              + " lines are missing, since its disk did not follow; it can be replayed up to there");
    }
    if (tree.containsKey("end")) {
      closed = true;
    }
    return tree.containsKey("end") || tree.containsKey("full");
  }

  private static EvenkeelException cannotRead(IOException failed) {
    return new EvenkeelException(
        ErrorKind.UNAVAILABLE, "the recording cannot be read: " + failed.getMessage(), failed);
  }

  @Override
  public void close() {
    try {
      LineReader reader = in;
      if (reader != null) {
        reader.close();
      }
    } catch (IOException failed) {
      throw cannotRead(failed);
    }
  }
}
