package dev.evenkeel.app.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * The app as the launcher starts it: its classes in a jar, then all jars that it needs, then a
 * class data sharing archive, so that a test can afford many processes.
 */
final class App {
  static final Path ROOT = Path.of(Objects.requireNonNull(System.getProperty("evenkeel.root")));
  private static final Path TARGET = ROOT.resolve("controller/app/target");
  private static final Path TEST_CLASSES = TARGET.resolve("test-classes");

  private final List<String> java;

  private App(List<String> java) {
    this.java = java;
  }

  /** Makes jar and archive in a folder. */
  static App in(Path folder) throws IOException, InterruptedException {
    String classPath = classPath(folder.resolve("app.jar"));
    List<String> java =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xlog:disable",
                "-Xlog:all=error:stderr",
                "-Xlog:cds*=off:stderr",
                "--enable-native-access=ALL-UNNAMED",
                "-Dstdout.encoding=UTF-8",
                "-Devenkeel.home=" + ROOT,
                "-cp",
                classPath));
    Path archive = folder.resolve("app.jsa");
    List<String> warmUp = new ArrayList<>(java);
    warmUp.add("-XX:ArchiveClassesAtExit=" + archive);
    App app = new App(warmUp);
    Process process =
        app.start(List.of("demo", "--state-dir", folder.resolve("warm-up").toString()));
    process.getInputStream().readAllBytes();
    if (process.waitFor() == 0 && Files.exists(archive)) {
      java.add("-XX:SharedArchiveFile=" + archive);
    }
    return new App(java);
  }

  /** Starts it; standard error comes with standard output. */
  Process start(List<String> arguments) throws IOException {
    List<String> command = command(arguments);
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /** The whole command line. */
  List<String> command(List<String> arguments) {
    List<String> command = new ArrayList<>(java);
    command.add("dev.evenkeel.app.Main");
    command.addAll(arguments);
    return command;
  }

  /** Runs it to its end. */
  Result run(String... arguments) throws IOException, InterruptedException {
    return end(start(List.of(arguments)));
  }

  /** Waits for the end of a process that needs no input. */
  static Result end(Process process) throws IOException, InterruptedException {
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("still running after a minute, having said: " + output);
    }
    return new Result(process.exitValue(), output);
  }

  /**
   * How a process ended.
   *
   * @param output of both streams
   */
  record Result(int status, String output) {}

  /** Jars only, as an archive is for jars only. */
  private static String classPath(Path jar) throws IOException {
    String given =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<String> parts = new ArrayList<>(List.of(jar.toString()));
    List<Path> folders = new ArrayList<>();
    for (String part : given.split(File.pathSeparator, -1)) {
      Path path = Path.of(part);
      if (part.endsWith(".jar")) {
        parts.add(part);
      } else if (Files.isDirectory(path) && !path.equals(TEST_CLASSES)) {
        folders.add(path);
      }
    }
    pack(folders, jar);
    return String.join(File.pathSeparator, parts);
  }

  private static void pack(List<Path> folders, Path jar) throws IOException {
    TreeSet<String> names = new TreeSet<>();
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (Path folder : folders) {
        try (Stream<Path> files = Files.walk(folder)) {
          for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
            String name = folder.relativize(file).toString();
            if (!name.equals("module-info.class") && names.add(name)) {
              out.putNextEntry(new ZipEntry(name));
              Files.copy(file, out);
              out.closeEntry();
            }
          }
        }
      }
    }
  }
}
