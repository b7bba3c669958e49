package dev.evenkeel.scenarios.ancestry;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The tests of all rooms, as their sources tell: names of classes, numbers of scenarios. */
final class Evidence {
  private static final Pattern NAME =
      Pattern.compile("@DisplayName\\(\\s*\"((?:\\\\.|[^\"\\\\])*)");
  private static final Pattern HEAD =
      Pattern.compile("^[A-Z]{2}-\\d+(?:(?:, | and |/| )[A-Z]{2}-\\d+)*");
  private static final Pattern NUMBER = Pattern.compile("[A-Z]{2}-\\d+");

  private final Set<String> classes = new TreeSet<>();
  private final Set<String> numbers = new TreeSet<>();

  Evidence(Path root) throws IOException {
    for (String floor : List.of("api", "txn", "controller", "handlers")) {
      for (Path source : sources(root.resolve(floor))) {
        read(source);
      }
    }
  }

  /** Test classes, and contract tests that authors are shipped. */
  private static List<Path> sources(Path floor) throws IOException {
    try (Stream<Path> files = Files.walk(floor)) {
      return new ArrayList<>(
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(
                  file ->
                      file.toString().contains("/src/test/")
                          || file.toString().contains("/tck/src/main/"))
              .toList());
    }
  }

  private void read(Path source) {
    String file = String.valueOf(source.getFileName());
    if (file.endsWith("Test.java") || file.endsWith("Properties.java")) {
      classes.add(file.substring(0, file.length() - ".java".length()));
    }
    try {
      Matcher name = NAME.matcher(Files.readString(source));
      while (name.find()) {
        readNumbers(name.group(1));
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private void readNumbers(String displayName) {
    Matcher head = HEAD.matcher(displayName);
    if (head.find()) {
      Matcher number = NUMBER.matcher(head.group());
      while (number.find()) {
        numbers.add(number.group());
      }
    }
  }

  boolean has(String classOrNumber) {
    return classes.contains(classOrNumber) || numbers.contains(classOrNumber);
  }
}
