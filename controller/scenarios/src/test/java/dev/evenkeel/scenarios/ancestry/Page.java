package dev.evenkeel.scenarios.ancestry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The ancestry page, read as tables. */
final class Page {
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private Page() {}

  /**
   * A row.
   *
   * @param section heading above its table
   * @param ancestor first cell: an identifier, or a promise between asterisks
   */
  record Row(String section, String ancestor, List<String> types, String why, String shown) {
    /** What the last cell names as evidence. */
    List<String> evidence() {
      return codes(shown);
    }

    @Override
    public String toString() {
      return ancestor;
    }
  }

  static Path root() {
    String root = System.getProperty("evenkeel.root");
    return root == null ? Path.of("../..").toAbsolutePath().normalize() : Path.of(root);
  }

  static List<Row> rows() throws IOException {
    return rows(Files.readString(root().resolve("docs/reference/ancestry.md")));
  }

  static List<Row> rows(String page) {
    List<Row> rows = new ArrayList<>();
    String section = "";
    for (String line : page.lines().toList()) {
      if (line.startsWith("## ")) {
        section = line.substring(3).strip();
      } else if (line.startsWith("|") && !line.startsWith("|---") && !line.contains("| shown by")) {
        rows.add(row(section, line));
      }
    }
    return rows;
  }

  private static Row row(String section, String line) {
    String[] cells = line.substring(1, line.lastIndexOf('|')).split("\\|", -1);
    if (cells.length != 4) {
      throw new IllegalArgumentException("a row has four cells: " + line);
    }
    return new Row(
        section,
        cells[0].strip().replace("`", ""),
        codes(cells[1]),
        cells[2].strip(),
        cells[3].strip());
  }

  private static List<String> codes(String cell) {
    List<String> found = new ArrayList<>();
    Matcher matcher = CODE.matcher(cell);
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }
}
