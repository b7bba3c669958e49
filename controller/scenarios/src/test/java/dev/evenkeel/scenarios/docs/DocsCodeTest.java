package dev.evenkeel.scenarios.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The docs show code that is compiled and run. Above a block stands where it is from, {@code <!--
 * from FILE: NAME -->}; in that file it stands between the comments {@code // [NAME]} and {@code //
 * [end]}.
 */
@DisplayName("Code in the docs")
final class DocsCodeTest {
  private static final Pattern BLOCK =
      Pattern.compile("(?:<!-- from (\\S+): ([^\\n]+?) -->\\n)?```java\\n(.*?)```", Pattern.DOTALL);

  private final Path root = Path.of(System.getProperty("evenkeel.root"));

  @Test
  @DisplayName("is the code that is compiled, in every page")
  void same() throws IOException {
    List<String> problems = new ArrayList<>();
    int blocks = 0;
    for (Path page : pages()) {
      Matcher block = BLOCK.matcher(Files.readString(page));
      while (block.find()) {
        blocks++;
        String where = root.relativize(page) + ", at: " + block.group(3).lines().findFirst();
        if (block.group(1) == null) {
          problems.add(where + ": it does not say which file it is from");
        } else if (!region(block.group(1), block.group(2)).equals(block.group(3).strip())) {
          problems.add(where + ": it is not what " + block.group(1) + " has");
        }
      }
    }
    assertEquals(List.of(), problems);
    assertFalse(blocks == 0, "no page has code: is this looking in the right place?");
  }

  private List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.walk(root.resolve("docs"))) {
      return files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
    }
  }

  private String region(String file, String name) throws IOException {
    List<String> lines = Files.readAllLines(root.resolve(file));
    List<String> found = new ArrayList<>();
    boolean inside = false;
    for (String line : lines) {
      if (inside && line.strip().equals("// [end]")) {
        return String.join("\n", found).stripTrailing().stripIndent().strip();
      }
      if (inside) {
        found.add(line);
      }
      inside |= line.strip().equals("// [" + name + "]");
    }
    return "(" + file + " has no region " + name + ")";
  }
}
