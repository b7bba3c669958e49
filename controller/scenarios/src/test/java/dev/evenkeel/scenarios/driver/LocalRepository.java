package dev.evenkeel.scenarios.driver;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * A Maven repository of its own with Evenkeel installed in it, as `mvn install` would have done.
 * All else comes from the repository that this build uses, which serves as the only remote one: no
 * network, and nothing of ours gets into it.
 */
final class LocalRepository {
  private static final String GROUP = "dev/evenkeel";
  private static final Pattern ARTIFACT =
      Pattern.compile("</parent>\\s*<artifactId>([^<]+)</artifactId>");

  private final Path root;
  private final Path folder;
  private final String version;

  LocalRepository(Path root, Path folder, String version) {
    this.root = root;
    this.folder = folder;
    this.version = version;
  }

  /** Installs the root's pom, the BOM as users get it, and the given rooms with their jars. */
  void install(String... rooms) throws IOException {
    copy(root.resolve("pom.xml"), "evenkeel", ".pom");
    copy(root.resolve("api/bom/.flattened-pom.xml"), "evenkeel-bom", ".pom");
    for (String room : rooms) {
      Path pom = root.resolve(room).resolve("pom.xml");
      Matcher name = ARTIFACT.matcher(Files.readString(pom));
      assertTrue(name.find(), () -> pom + " has no artifact id behind its parent");
      String artifact = name.group(1);
      copy(pom, artifact, ".pom");
      copy(
          root.resolve(room).resolve("target/" + artifact + "-" + version + ".jar"),
          artifact,
          ".jar");
    }
  }

  private void copy(Path from, String artifact, String kind) throws IOException {
    assertTrue(Files.exists(from), () -> from + " is not built: this test needs mvn verify");
    Path into = folder.resolve(GROUP).resolve(artifact).resolve(version);
    Files.createDirectories(into);
    Files.copy(
        from, into.resolve(artifact + "-" + version + kind), StandardCopyOption.REPLACE_EXISTING);
  }

  /** Settings that know one remote repository: the one that the class path of this test is from. */
  Path settings() throws IOException {
    return Files.writeString(
        folder.resolve("settings.xml"),
        """
        <settings>
          <localRepository>%s</localRepository>
          <mirrors>
            <mirror>
              <id>what-this-build-has</id>
              <mirrorOf>*</mirrorOf>
              <url>%s</url>
            </mirror>
          </mirrors>
        </settings>
        """
            .formatted(folder.toAbsolutePath(), outer().toUri()));
  }

  /** Five folders above the jar of JUnit: group (3), artifact, version. */
  private static Path outer() {
    try {
      Path jar = Path.of(Test.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      Path repository = jar.resolve("../../../../../..").normalize();
      assertTrue(
          Files.isDirectory(repository.resolve("org/junit")),
          () -> jar + " does not lie in a Maven repository");
      return repository;
    } catch (URISyntaxException wrong) {
      throw new IllegalStateException(wrong);
    }
  }
}
