package dev.evenkeel.scenarios.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Builds and runs a driver author's program as the author would: with Maven, against the BOM. */
@DisplayName("A driver author's separate build")
final class ExampleBuildTest {
  private static final Pattern PROPERTY =
      Pattern.compile("<((?:junit|[a-z]+-plugin)\\.version)>([^<]+)</");

  private static final String[] ROOMS = {
    "api/core",
    "txn/engine",
    "txn/datastore",
    "txn/codec-jackson",
    "txn/store-local",
    "controller/loop",
    "handlers/volume",
    "handlers/hostpath"
  };

  private final Path root = Path.of(System.getProperty("evenkeel.root"));
  private final Path target = root.resolve("controller/scenarios/target");

  @Test
  @DisplayName("makes its handler work between the stock ones, from the installed BOM alone")
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void builds() throws Exception {
    Path project = copyOfExample(target.resolve("encryption-driver"));
    LocalRepository repository =
        new LocalRepository(root, target.resolve("encryption-repository"), version());
    repository.install(ROOMS);

    Process maven = maven(project, repository.settings());
    String said =
        new String(maven.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    assertEquals(0, maven.waitFor(), () -> "Maven says:\n" + said);

    assertTrue(Files.exists(project.resolve("target/encryption-driver-1.0.jar")), said);
    Matcher ran =
        Pattern.compile("Tests run: (\\d+), Failures: 0, Errors: 0, Skipped: 0").matcher(said);
    assertTrue(ran.find() && Integer.parseInt(ran.group(1)) > 0, said);
  }

  private Process maven(Path project, Path settings) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("evenkeel.maven"), "bin/mvn").toString());
    command.addAll(List.of("--batch-mode", "--no-transfer-progress", "--lax-checksums"));
    command.addAll(List.of("--settings", settings.toString(), "verify"));
    versions().forEach((name, value) -> command.add("-D" + name + "=" + value));
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(project.toFile()).redirectErrorStream(true);
    builder.environment().put("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    builder.environment().remove("MAVEN_ARGS");
    return builder.start();
  }

  /** The versions that the reactor itself is built with: what its repository has. */
  private Map<String, String> versions() throws IOException {
    Map<String, String> found = new TreeMap<>();
    Matcher property = PROPERTY.matcher(Files.readString(root.resolve("pom.xml")));
    while (property.find()) {
      found.put(property.group(1), property.group(2));
    }
    found.put("evenkeel.version", version());
    return found;
  }

  private String version() throws IOException {
    Matcher version =
        Pattern.compile("<version>([^<]+)</version>")
            .matcher(Files.readString(root.resolve("pom.xml")));
    assertTrue(version.find());
    return version.group(1);
  }

  /** Without what an earlier build, or somebody's editor, has left beside the sources. */
  private Path copyOfExample(Path into) throws IOException {
    Path from = root.resolve("controller/scenarios/examples/encryption-driver");
    deleteAll(into);
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path relative = from.relativize(file);
        if (!relative.startsWith("target")) {
          Files.copy(file, into.resolve(relative.toString()));
        }
      }
    }
    return into;
  }

  private static void deleteAll(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
