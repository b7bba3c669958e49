package dev.evenkeel.app.readme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ReadmeTest {
  private static final Path ROOT =
      Path.of(Objects.requireNonNull(System.getProperty("evenkeel.root")));
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(#[^)\\s]*)?\\)");
  private static final Path SOURCE =
      ROOT.resolve("controller/app/src/test/java/dev/evenkeel/app/readme/ShelfHandler.java");

  @Test
  @DisplayName("the code in README.md is the compiled one, and about thirty lines long")
  void readmeShowsWhatCompiles() throws IOException {
    List<String> source =
        between(Files.readAllLines(SOURCE), "// README: from here", "// README: to here");
    List<String> shown = between(Files.readAllLines(ROOT.resolve("README.md")), "```java", "```");

    assertEquals(String.join("\n", source), String.join("\n", shown));
    assertTrue(source.size() <= 32, () -> source.size() + " lines");
  }

  @Test
  @DisplayName("every link between the project's pages leads somewhere")
  void linksLeadSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    int seen = 0;
    for (Path page : pages()) {
      Matcher link = LINK.matcher(Files.readString(page));
      while (link.find()) {
        String target = link.group(1);
        if (!target.contains("://")) {
          seen++;
          Path folder = Objects.requireNonNull(page.getParent());
          if (!Files.exists(folder.resolve(target))) {
            broken.add(ROOT.relativize(page) + " -> " + target);
          }
        }
      }
    }

    assertEquals(List.of(), broken);
    assertTrue(seen > 20, () -> "hardly any links were seen");
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    try (Stream<Path> top = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      Stream.concat(top, docs).filter(path -> path.toString().endsWith(".md")).forEach(pages::add);
    }
    return pages;
  }

  private static List<String> between(List<String> lines, String from, String to) {
    List<String> found = new ArrayList<>(lines.subList(lines.indexOf(from) + 1, lines.size()));
    return found.subList(0, found.indexOf(to));
  }
}
