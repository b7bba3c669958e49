package dev.evenkeel.app.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The launcher, in a house of cards, with a JDK that only tells where its streams lead. */
class LauncherTest {
  @TempDir private Path folder;

  @BeforeEach
  void house() throws IOException {
    Path app = Files.createDirectories(folder.resolve("controller/app/target"));
    Files.createDirectories(folder.resolve("controller/app/src/main"));
    Files.createDirectories(folder.resolve(".mvn"));
    Files.createFile(folder.resolve("pom.xml"));
    Files.createFile(folder.resolve("controller/app/pom.xml"));
    Files.createFile(Files.createDirectories(app.resolve("lib")).resolve("evenkeel-app-1.jar"));
    Files.createFile(app.resolve("launcher.stamp"));
    Path jdk = Files.createDirectories(folder.resolve("jdks/jdk"));
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"17.0.1\"\n");
    script(jdk.resolve("bin/javac"), "exit 0");
    script(
        jdk.resolve("bin/java"),
        "exec 9>"
            + folder.resolve("streams")
            + "; for n in 0 1 2; do readlink /proc/$$/fd/$n >&9 || echo closed >&9; done");
    Files.copy(App.ROOT.resolve("evenkeel"), folder.resolve("evenkeel"));
  }

  private static void script(Path file, String line) throws IOException {
    Files.createDirectories(file.resolveSibling("."));
    Files.writeString(file, "#!/bin/bash\n" + line + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Runs the launcher behind a redirection; gives where the three streams of the app lead. */
  private List<String> streams(String redirection) throws IOException, InterruptedException {
    Path somewhere = Files.createFile(folder.resolve("somewhere"));
    ProcessBuilder launcher =
        new ProcessBuilder("bash", "-c", "exec ./evenkeel --version " + redirection)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectInput(somewhere.toFile())
            .redirectOutput(somewhere.toFile());
    launcher.environment().put("JAVA_HOME", folder.resolve("jdks/jdk").toString());
    Process process = launcher.start();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("the launcher hangs");
    }
    String launched = folder.resolve("evenkeel").toString();
    assertEquals(0, process.exitValue(), Files.readString(somewhere));
    return Files.readAllLines(folder.resolve("streams")).stream()
        .map(line -> line.equals(somewhere.toString()) ? "given" : line)
        // Bash may have read the launcher itself by that number; nothing can be written there.
        .map(line -> line.equals(launched) || line.equals("/dev/null") ? "nowhere" : line)
        .toList();
  }

  @Test
  @DisplayName("hands its streams to the app as they are")
  void open() throws Exception {
    assertEquals(List.of("given", "given", "given"), streams(""));
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"0<&-", "1>&-", "2>&-"})
  @DisplayName("a closed stream leads nowhere, and never into a file that the app opens next")
  void closed(String redirection) throws Exception {
    int which = redirection.charAt(0) - '0';
    List<String> streams = streams(redirection);
    for (int i = 0; i < 3; i++) {
      assertEquals(i == which ? "nowhere" : "given", streams.get(i), streams::toString);
    }
  }

  @Test
  @DisplayName(
      "in the POSIX locale Java gets one in which every file has a name, and keeps to ASCII")
  void posixLocale() throws Exception {
    Path seen = folder.resolve("seen");
    script(
        folder.resolve("jdks/jdk/bin/java"),
        "echo $LC_ALL >" + seen + "; for a; do echo \"$a\" >>" + seen + "; done");
    ProcessBuilder launcher =
        new ProcessBuilder("./evenkeel", "--version")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("said").toFile());
    launcher.environment().put("JAVA_HOME", folder.resolve("jdks/jdk").toString());
    launcher.environment().put("LC_ALL", "C");

    Process process = launcher.start();

    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    assertEquals(0, process.exitValue(), Files.readString(folder.resolve("said")));
    assertEquals("C.UTF-8", Files.readAllLines(seen).get(0));
    assertTrue(Files.readAllLines(seen).contains("-Dstdout.encoding=ANSI_X3.4-1968"));
  }
}
