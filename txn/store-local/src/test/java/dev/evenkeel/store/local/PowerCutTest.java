package dev.evenkeel.store.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.evenkeel.codec.jackson.JacksonCodecs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The power fails. A store's system calls are traced, and a disk is made of them that has, at some
 * call, what was forced, and of the rest nothing, a part, zeros, or all.
 */
@Timeout(300)
@DisplayName("A power cut")
final class PowerCutTest {
  private static final String CALLS =
      "open,openat,creat,close,write,pwrite64,writev,pwritev,pwritev2,fsync,fdatasync,ftruncate,"
          + "truncate,fallocate,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,"
          + "link,linkat,lseek,dup,dup2,dup3";
  private static final int BATCHES = 700;
  private static final List<TracedDisk.Data> LEFT = List.of(TracedDisk.Data.values());

  @TempDir Path home;

  @Test
  @DisplayName("at thirty points: nothing acknowledged is lost, no batch is halved, and it opens")
  void thirty() throws Exception {
    cuts(30, 20261201);
  }

  @Test
  @Tag("long")
  @DisplayName(
      "at a thousand points: nothing acknowledged is lost, no batch is halved, and it opens")
  void thousand() throws Exception {
    cuts(1000, 1);
  }

  private void cuts(int number, long seed) throws Exception {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(":", -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "strace"))),
        "SKIPPED, as strace is missing: install it to have the power cut tested");
    Path top = Files.createDirectory(home.toRealPath().resolve("top"));
    List<TracedCall> calls = TracedCall.read(trace(top));
    SplittableRandom random = new SplittableRandom(seed);
    TracedDisk disk = new TracedDisk(top);
    TreeSet<Integer> points = new TreeSet<>(List.of(calls.size()));
    int first = firstOf(calls, top);
    while (points.size() < number) {
      points.add(first + random.nextInt(calls.size() - first));
    }
    int at = 0;
    int acknowledged = 0;
    for (int point : points) {
      for (; at < point; at++) {
        TracedCall call = calls.get(at);
        if (call.says("ack " + acknowledged)) {
          acknowledged++;
        } else {
          disk.apply(call);
        }
      }
      cut(disk, point, acknowledged, random);
    }
    assertEquals(BATCHES, acknowledged, "the trace has all of it");
  }

  /** Before that nothing concerns the store. */
  private static int firstOf(List<TracedCall> calls, Path top) {
    for (int i = 0; i < calls.size(); i++) {
      if (calls.get(i).name().startsWith("mkdir")
          && calls.get(i).path(0).startsWith(top.toString())) {
        return i;
      }
    }
    throw new AssertionError("no call makes a directory in " + top);
  }

  private void cut(TracedDisk disk, int point, int acknowledged, SplittableRandom random)
      throws IOException {
    boolean allNames = random.nextBoolean();
    TracedDisk.Data data = LEFT.get(random.nextInt(LEFT.size()));
    String where =
        "at call "
            + point
            + ", "
            + acknowledged
            + " acknowledged, all names "
            + allNames
            + ", unforced bytes "
            + data;
    Path left = Files.createDirectory(home.resolve("cut-" + point));
    disk.write(left, allNames, data, random);
    try (LocalDatastore store =
        LocalDatastore.open(left.resolve("a/b/store"), new JacksonCodecs())) {
      CrashTest.check(store.blocking(), acknowledged - 1);
    } catch (RuntimeException | AssertionError wrong) {
      throw new AssertionError(where + ": " + wrong.getMessage(), wrong);
    }
    delete(left);
  }

  private Path trace(Path top) throws Exception {
    Path trace = home.resolve("trace");
    List<String> command =
        new ArrayList<>(List.of("strace", "-f", "-qq", "-xx", "-s", "100000000", "--seccomp-bpf"));
    command.addAll(List.of("-e", "signal=none", "-e", "trace=" + CALLS, "-o", trace.toString()));
    command.addAll(
        Child.command(
            Files.createDirectory(home.resolve("scratch")),
            PowerCutChild.class,
            top.resolve("a/b/store").toString(),
            Integer.toString(BATCHES),
            "4000"));
    Process traced =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertEquals(0, traced.waitFor());
    assertTrue(Files.size(trace) > 1000);
    return trace;
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }
}
