package dev.evenkeel.store.local;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Write;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.NameRecord;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.codec.jackson.JacksonCodecs;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * A process that opens a store and commits batches of two keys for ever, each one printed when it
 * is acknowledged. The tests kill it.
 */
final class Child {
  private static final int IN_FLIGHT = 8;

  private Child() {}

  static Key<NameRecord> left(int number) {
    return new NameKey(ObjectKind.VOLUME, "left-" + number);
  }

  static Key<NameRecord> right(int number) {
    return new NameKey(ObjectKind.VOLUME, "right-" + number);
  }

  @SuppressWarnings("SystemOut") // its parent reads it
  public static void main(String[] arguments) {
    try (LocalDatastore store = LocalDatastore.open(Path.of(arguments[0]), new JacksonCodecs())) {
      System.out.println("open");
      ArrayDeque<CompletableFuture<Revision>> waiting = new ArrayDeque<>();
      int acknowledged = 0;
      for (int number = 0; ; number++) {
        NameRecord value = new NameRecord("u" + number + "x".repeat(200));
        waiting.add(
            store
                .commit(
                    List.of(),
                    List.of(
                        new Write.Put<>(left(number), value),
                        new Write.Put<>(right(number), value)),
                    Call.usual())
                .toCompletableFuture());
        if (waiting.size() == IN_FLIGHT) {
          Objects.requireNonNull(waiting.remove().join());
          System.out.println(acknowledged++);
        }
      }
    }
  }

  /** Begins one on a store; what it unpacks goes into another folder. */
  static Process begin(Path store, Path scratch) throws IOException {
    return new ProcessBuilder(command(scratch, Child.class, store.toString()))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** The command line of a Java program that uses a store. */
  static List<String> command(Path scratch, Class<?> program, String... arguments) {
    String classes =
        System.getProperty("jdk.module.path", "")
            + File.pathSeparator
            + System.getProperty("java.class.path", "")
            + File.pathSeparator
            + Path.of("target", "test-classes").toAbsolutePath();
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + scratch,
                "-Dorg.apache.logging.log4j.level=WARN",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classes,
                program.getName()));
    command.addAll(List.of(arguments));
    return command;
  }

  static BufferedReader linesOf(Process child) {
    return new BufferedReader(
        new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8));
  }
}
