package dev.evenkeel.hostpath;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.KeyPaths;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/** Named texts in a file, one {@code name=value} a line, both percent-escaped, in name order. */
final class TextFile {
  private static final long LARGEST = 1 << 20;

  private TextFile() {}

  static String write(SortedMap<String, String> values) {
    StringBuilder out = new StringBuilder();
    values.forEach(
        (name, value) ->
            out.append(KeyPaths.escape(name))
                .append('=')
                .append(KeyPaths.escape(value))
                .append('\n'));
    return out.toString();
  }

  /** Empty when there is no such file. */
  static SortedMap<String, String> read(Path file) throws IOException {
    TreeMap<String, String> values = new TreeMap<>();
    try {
      if (Files.size(file) > LARGEST) {
        throw damaged(file, "is larger than " + LARGEST + " bytes");
      }
      for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
        int split = line.indexOf('=');
        if (split < 0) {
          throw damaged(file, "has a line without '='");
        }
        values.put(part(file, line.substring(0, split)), part(file, line.substring(split + 1)));
      }
    } catch (NoSuchFileException e) {
      return values;
    }
    return values;
  }

  private static String part(Path file, String escaped) {
    return KeyPaths.unescape(escaped).orElseThrow(() -> damaged(file, "has a badly escaped text"));
  }

  private static EvenkeelException damaged(Path file, String how) {
    return new EvenkeelException(ErrorKind.FAILED_PRECONDITION, file + " " + how);
  }
}
