package dev.evenkeel.bench.store;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** An etcd and a Ceph of one node, by the scripts of the stores' tests; gone when closed. */
final class Servers implements AutoCloseable {
  private static final Path ROOT = Path.of(System.getProperty("evenkeel.root", ""));
  private static final Path ETCD = ROOT.resolve("txn/store-etcd/src/test/etcd/etcd.sh");
  private static final Path CEPH = ROOT.resolve("txn/store-rados/src/test/ceph");

  private final Path folder;
  private final List<List<String>> ends = new ArrayList<>();

  Servers() throws IOException {
    // Not below the working directory, whose path may be too long for a socket's.
    folder = Files.createTempDirectory("evenkeel-bench");
  }

  /** The endpoint of an etcd of one member. */
  String etcd() throws IOException {
    String data = folder.resolve("etcd").toString();
    ends.add(List.of(ETCD.toString(), "wipe", data));
    int port = freePort();
    run(Map.of("BASE", "" + port), List.of(ETCD.toString(), "up", "1", data));
    return "http://127.0.0.1:" + port;
  }

  /** The folder with the configuration and the keyrings of a Ceph. */
  Path ceph() throws IOException {
    Path data = folder.resolve("ceph");
    ends.add(List.of(CEPH.resolve("down").toString(), "-9", data.toString(), "--wipe"));
    run(
        Map.of(),
        List.of(
            CEPH.resolve("up").toString(),
            data.toString(),
            "--for",
            "" + ProcessHandle.current().pid()));
    return data;
  }

  private static int freePort() throws IOException {
    // Two in a row: one for clients, one for peers.
    for (int tries = 0; tries < 100; tries++) {
      try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
          ServerSocket second =
              new ServerSocket(first.getLocalPort() + 1, 1, InetAddress.getLoopbackAddress())) {
        return second.getLocalPort() - 1;
      } catch (IOException taken) {
        continue;
      }
    }
    throw new IOException("no two free ports in a row");
  }

  private void run(Map<String, String> environment, List<String> command) throws IOException {
    Path out = Files.createTempFile(folder, "script", ".out");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .redirectInput(Path.of("/dev/null").toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      if (!process.waitFor(180, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException(command + ": " + Files.readString(out, StandardCharsets.UTF_8));
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    } finally {
      process.destroy();
    }
  }

  @Override
  public void close() throws IOException {
    for (List<String> end : ends) {
      run(Map.of(), end);
    }
    Folders.delete(folder);
  }
}
