package dev.evenkeel.controller.source;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.codec.jackson.Json;
import dev.evenkeel.codec.jackson.Limits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The file in which a directory source keeps what it has accepted: replaced as a whole, and forced
 * to the disk with its name before it counts. Blocks.
 */
final class FolderState {
  private static final Long VERSION = 1L;
  private static final Limits LIMITS = new Limits(1 << 26, 40, 1 << 20);

  private final Path file;
  private final Json json = new Json(LIMITS);

  FolderState(Path file) {
    this.file = file.toAbsolutePath();
  }

  /**
   * What was written last; empty when nothing ever was.
   *
   * @throws InvalidInputException when it is damaged, or of a newer version: it is left as it is
   */
  FolderContent read() throws IOException {
    byte[] utf8;
    try {
      if (Files.size(file) > LIMITS.bytes()) {
        throw wrong("has more than " + LIMITS.bytes() + " bytes");
      }
      utf8 = Files.readAllBytes(file);
    } catch (NoSuchFileException never) {
      return FolderContent.EMPTY;
    }
    if (!(json.parse(utf8) instanceof SortedMap<?, ?> state)) {
      throw wrong("is damaged: remove it, and the files of the directory are read anew");
    }
    if (!VERSION.equals(state.get("version"))) {
      throw wrong("is of version " + state.get("version") + ", and this reads " + VERSION);
    }
    if (!(state.get("files") instanceof SortedMap<?, ?> files)) {
      throw wrong("is damaged: it has no files");
    }
    SortedMap<String, SortedMap<String, String>> content = new TreeMap<>();
    files.forEach((name, values) -> content.put((String) name, values(values)));
    return new FolderContent(content);
  }

  private SortedMap<String, String> values(Object tree) {
    if (!(tree instanceof SortedMap<?, ?> map)) {
      throw wrong("is damaged: a file's values are no object");
    }
    SortedMap<String, String> values = new TreeMap<>();
    map.forEach((path, value) -> values.put((String) path, json.write(value)));
    return values;
  }

  private InvalidInputException wrong(String reason) {
    return InvalidInputException.of("state of a directory source", file.toString(), "", reason);
  }

  /** Replaces it; when this returns it survives a crash. */
  void write(FolderContent content) throws IOException {
    SortedMap<String, Object> files = new TreeMap<>();
    content
        .files()
        .forEach(
            (name, values) -> {
              SortedMap<String, Object> trees = new TreeMap<>();
              values.forEach((path, text) -> trees.put(path, json.parse(text)));
              files.put(name, trees);
            });
    SortedMap<String, Object> state = new TreeMap<>();
    state.put("version", VERSION);
    state.put("files", files);
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    ByteBuffer bytes = ByteBuffer.wrap(json.bytes(state));
    try (FileChannel out =
        FileChannel.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel folder = FileChannel.open(file.resolveSibling("."), StandardOpenOption.READ)) {
      folder.force(true);
    }
  }
}
