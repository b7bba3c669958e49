package dev.evenkeel.app.serve;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The page: its few files, read once out of the program. Immutable; any thread. */
final class PageFiles {
  private static final Map<String, String> TYPES =
      Map.of(
          "index.html", "text/html; charset=utf-8",
          "page.css", "text/css; charset=utf-8",
          "page.js", "text/javascript; charset=utf-8",
          "views.js", "text/javascript; charset=utf-8",
          "icon.svg", "image/svg+xml");

  private final Map<String, Answer> files = new LinkedHashMap<>();

  PageFiles() {
    TYPES.forEach((name, type) -> files.put(name, new Answer(200, type, read(name))));
  }

  private static byte[] read(String name) {
    try (InputStream in = PageFiles.class.getResourceAsStream("/dev/evenkeel/app/page/" + name)) {
      if (in == null) {
        throw new IllegalStateException("the program lacks its file " + name);
      }
      return in.readAllBytes();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** The file of a path without its leading slash; the empty one is the page itself. */
  Optional<Answer> find(String path) {
    return Optional.ofNullable(files.get(path.isEmpty() ? "index.html" : path));
  }
}
