package dev.evenkeel.app.ask;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Looks at the machine: what will work here. Changes nothing but files of its own in one folder,
 * which it removes again. Blocks; one thread.
 */
final class Doctor {
  private static final int SYNCS = 20;
  private static final int LONGEST_SOCKET_PATH = 107;

  private final Path folder;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final List<Map<String, Object>> findings = new ArrayList<>();

  Doctor(Path folder) {
    this(folder, InstantSource.system(), System::nanoTime);
  }

  Doctor(Path folder, InstantSource clock, LongSupplier nanos) {
    this.clock = clock;
    this.nanos = nanos;
    this.folder = folder.toAbsolutePath().normalize();
  }

  /** How something is. */
  enum Verdict {
    OK,
    WARN,
    FAIL
  }

  private void found(String what, Verdict verdict, String detail) {
    Map<String, Object> finding = new LinkedHashMap<>();
    finding.put("what", what);
    finding.put("verdict", verdict.name().toLowerCase(Locale.ROOT));
    finding.put("detail", detail);
    findings.add(finding);
  }

  /** All that was found. */
  List<Map<String, Object>> examine() throws InterruptedException {
    jdk();
    encoding();
    programs();
    folder();
    socketPath();
    loopDevices();
    clock();
    return List.copyOf(findings);
  }

  private void jdk() {
    Runtime.Version version = Runtime.version();
    found(
        "java",
        version.feature() >= 17 ? Verdict.OK : Verdict.FAIL,
        version + " in " + System.getProperty("java.home"));
    long most = Runtime.getRuntime().maxMemory() >> 20;
    found(
        "memory",
        most >= 128 ? Verdict.OK : Verdict.WARN,
        most + " MiB of heap at most" + (most >= 128 ? "" : ": give it more, with -Xmx"));
  }

  private void encoding() {
    String names = System.getProperty("sun.jnu.encoding", "");
    boolean good = Charset.isSupported(names) && Charset.forName(names).newEncoder().canEncode('é');
    found(
        "file names",
        good ? Verdict.OK : Verdict.WARN,
        names + (good ? "" : ": names outside ASCII cannot be used; set LC_ALL=C.UTF-8"));
  }

  private void programs() {
    for (String program : List.of("mount", "umount", "losetup", "mkfs.ext4", "blkid")) {
      boolean there =
          Arrays.stream((System.getenv("PATH") + ":/usr/sbin:/sbin").split(File.pathSeparator, -1))
              .anyMatch(place -> !place.isEmpty() && Files.isExecutable(Path.of(place, program)));
      found(
          "program " + program,
          there ? Verdict.OK : Verdict.WARN,
          there ? "found" : "not found: volumes that are file systems in files need it");
    }
  }

  private void folder() throws InterruptedException {
    Path place = existing(folder);
    Path scratch;
    try {
      scratch = Files.createTempDirectory(place, "evenkeel-doctor-");
    } catch (IOException | SecurityException refused) {
      found("state directory", Verdict.FAIL, folder + " cannot be written: name another");
      return;
    }
    try {
      found("state directory", Verdict.OK, folder + " can be written");
      long free = Files.getFileStore(place).getUsableSpace() >> 20;
      found(
          "free space",
          free >= 256 ? Verdict.OK : free >= 32 ? Verdict.WARN : Verdict.FAIL,
          free + " MiB on " + Files.getFileStore(place).type());
      fsync(scratch);
      reflink(scratch);
      fileTime(scratch);
    } catch (IOException failed) {
      found("state directory", Verdict.FAIL, folder + ": " + failed);
    } finally {
      remove(scratch);
    }
  }

  /** The folder, or the nearest one above it that is there. */
  private static Path existing(Path path) {
    Path place = path;
    while (!Files.isDirectory(place) && place.getParent() != null) {
      place = place.getParent();
    }
    return place;
  }

  private void fsync(Path scratch) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(4096);
    long began = nanos.getAsLong();
    try (FileChannel file =
        FileChannel.open(
            scratch.resolve("sync"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (int i = 0; i < SYNCS; i++) {
        int unused = file.write(block.rewind());
        file.force(true);
      }
    }
    double each = (nanos.getAsLong() - began) / 1e6 / SYNCS;
    found(
        "fsync",
        each < 20 ? Verdict.OK : Verdict.WARN,
        String.format(
            Locale.ROOT,
            "%.2f ms each: about %.0f durable operations in a second, two forced writes each",
            each,
            500 / each));
  }

  private void reflink(Path scratch) throws IOException, InterruptedException {
    Files.writeString(scratch.resolve("one"), "one");
    int status =
        run(
            "cp",
            "--reflink=always",
            scratch.resolve("one").toString(),
            scratch.resolve("two").toString());
    found(
        "reflink",
        status == 0 ? Verdict.OK : Verdict.WARN,
        status == 0
            ? "copies of volumes take no time and no room"
            : "not here: copies of volumes are made byte by byte (XFS and Btrfs have it)");
  }

  private void fileTime(Path scratch) throws IOException {
    Path file = Files.writeString(scratch.resolve("now"), "now");
    Duration apart =
        Duration.between(Files.getLastModifiedTime(file).toInstant(), clock.instant()).abs();
    found(
        "clock of the disk",
        apart.toSeconds() < 5 ? Verdict.OK : Verdict.WARN,
        apart.toSeconds() < 5 ? "agrees" : "is " + apart + " off: a network disk's own clock?");
  }

  private static void remove(Path scratch) {
    File[] files = scratch.toFile().listFiles();
    for (File file : files == null ? new File[0] : files) {
      boolean unused = file.delete();
    }
    boolean unused = scratch.toFile().delete();
  }

  private void socketPath() {
    int length = folder.resolve("csi.sock").toString().getBytes(StandardCharsets.UTF_8).length;
    found(
        "socket path",
        length <= LONGEST_SOCKET_PATH ? Verdict.OK : Verdict.WARN,
        length
            + " of "
            + LONGEST_SOCKET_PATH
            + " bytes for a socket in the state directory"
            + (length <= LONGEST_SOCKET_PATH ? "" : ": name a shorter one"));
  }

  private void loopDevices() {
    boolean there = Files.exists(Path.of("/dev/loop-control"));
    boolean root = "root".equals(System.getProperty("user.name"));
    found(
        "loop devices",
        there && root ? Verdict.OK : Verdict.WARN,
        there
            ? root ? "may be used" : "are there, but only root may use them"
            : "are not there: volumes as block devices cannot be attached");
  }

  private void clock() throws InterruptedException {
    boolean sane = clock.instant().isAfter(Instant.parse("2025-01-01T00:00:00Z"));
    found("clock", sane ? Verdict.OK : Verdict.FAIL, clock.instant() + (sane ? "" : ": set it"));
    boolean synced =
        Files.exists(Path.of("/run/systemd/timesync/synchronized"))
            || run("chronyc", "-n", "tracking") == 0;
    found(
        "time service",
        synced ? Verdict.OK : Verdict.WARN,
        synced ? "the clock is set by one" : "none seen: with several machines their clocks drift");
  }

  private static int run(String... command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return -1;
      }
      return process.exitValue();
    } catch (IOException noSuchProgram) {
      return -1;
    }
  }
}
