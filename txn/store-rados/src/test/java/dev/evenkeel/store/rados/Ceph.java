package dev.evenkeel.store.rados;

import dev.evenkeel.codec.jackson.JacksonCodecs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;

/**
 * The one Ceph of this room's tests, started with the first test that asks for it and ended with
 * this process, however that ends. Each test has a namespace of its own.
 */
final class Ceph {
  private static final Path SCRIPTS =
      Path.of(System.getProperty("evenkeel.root", "../.."), "txn/store-rados/src/test/ceph");
  private static final AtomicInteger NAMES = new AtomicInteger();
  private static Optional<Ceph> running = Optional.empty();

  private final Path folder;

  private Ceph(Path folder) {
    this.folder = folder;
  }

  /** Skips the test, loudly, when Ceph is not installed; continuous integration takes no skips. */
  static synchronized Ceph get() {
    if (running.isEmpty()) {
      needCeph();
      running = Optional.of(start());
    }
    return running.get();
  }

  private static void needCeph() {
    if (!installed()) {
      System.err.println(
          "SKIPPED: no Ceph here. apt-get install --no-install-recommends ceph-mon ceph-osd"
              + " ceph-common librados2");
      Assumptions.abort("no Ceph here: ./evenkeel test installs it, or says how to");
    }
  }

  /** One for a test class that breaks it; it ends with this process, or before. */
  static Ceph own() {
    needCeph();
    return start();
  }

  void down() {
    run(SCRIPTS.resolve("down").toString(), "-9", folder.toString(), "--wipe");
  }

  private static boolean installed() {
    for (String tool : List.of("ceph-mon", "ceph-osd", "ceph", "rados")) {
      boolean found = false;
      for (String folder : System.getenv("PATH").split(":", -1)) {
        found |= Files.isExecutable(Path.of(folder, tool));
      }
      if (!found) {
        return false;
      }
    }
    return true;
  }

  private static Ceph start() {
    try {
      Path folder = Files.createTempDirectory("evenkeel-ceph");
      long self = ProcessHandle.current().pid();
      run(SCRIPTS.resolve("up").toString(), folder.toString(), "--for", Long.toString(self));
      return new Ceph(folder);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Settings of a namespace that nobody else has. */
  RadosSettings settings() {
    return RadosSettings.of(folder.resolve("ceph.conf"), "evenkeel", "evenkeel")
        .withKeyring(folder.resolve("client.evenkeel.keyring"))
        .inNamespace("test-" + NAMES.incrementAndGet())
        .within(Duration.ofSeconds(20), Duration.ofSeconds(60), Duration.ofMillis(500));
  }

  RadosDatastore open() {
    return open(settings());
  }

  static RadosDatastore open(RadosSettings settings) {
    return RadosDatastore.open(settings, new JacksonCodecs());
  }

  Path folder() {
    return folder;
  }

  /** Starts what does not run. */
  void up() {
    run(SCRIPTS.resolve("up").toString(), folder.toString());
  }

  /** A signal for a daemon: {@code osd.0} or {@code mon.a}. */
  void signal(String daemon, String signal) {
    run("kill", "-" + signal, Long.toString(pid(daemon)));
  }

  void awaitEnd(String daemon, long pid) {
    ProcessHandle.of(pid)
        .ifPresent(
            process -> {
              try {
                var unused = process.onExit().get(60, TimeUnit.SECONDS);
              } catch (Exception late) {
                throw new AssertionError(daemon + " does not end", late);
              }
            });
  }

  long pid(String daemon) {
    try {
      return Long.parseLong(
          Files.readString(folder.resolve("run").resolve(daemon + ".pid")).strip());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** The {@code rados} tool, in a namespace of the pool; what it prints. */
  String rados(RadosSettings where, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "timeout",
                "60",
                "rados",
                "-c",
                folder.resolve("ceph.conf").toString(),
                "-p",
                where.pool(),
                "-N",
                where.namespace()));
    command.addAll(List.of(arguments));
    return run(command.toArray(String[]::new));
  }

  static String run(String... command) {
    try {
      Path out = Files.createTempFile("evenkeel-ceph", ".out");
      // A file, since daemons keep what they inherit: a pipe of theirs would not end.
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(out.toFile())
              .redirectInput(Path.of("/dev/null").toFile())
              .start();
      boolean over = process.waitFor(180, TimeUnit.SECONDS);
      String text = new String(Files.readAllBytes(out), StandardCharsets.UTF_8);
      Files.delete(out);
      if (!over || process.exitValue() != 0) {
        throw new AssertionError(String.join(" ", command) + ": " + text);
      }
      return text;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", interrupted);
    }
  }
}
