package dev.evenkeel.store.etcd;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.evenkeel.codec.jackson.JacksonCodecs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A real etcd for a test class, one member or several, each a process of its own that can be
 * killed, stopped and started again. The processes end with this object, or with this JVM.
 */
final class Etcd implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Path SCRIPT = Path.of("src/test/etcd/etcd.sh").toAbsolutePath();
  private static final AtomicInteger ROOTS = new AtomicInteger();

  private final Path folder;
  private final List<Member> members = new ArrayList<>();
  private final List<String> more;
  private final String scheme;

  private Etcd(Path folder, int size, String scheme, List<String> more) {
    this.folder = folder;
    this.scheme = scheme;
    this.more = more;
    List<Integer> ports = freePorts(2 * size);
    for (int i = 0; i < size; i++) {
      members.add(new Member("m" + i, ports.get(2 * i), ports.get(2 * i + 1)));
    }
  }

  /**
   * Whether tests with etcd can be run. Where they cannot they are skipped, and say so; continuous
   * integration takes no skipped test.
   */
  static void needed() {
    boolean here =
        Stream.of(System.getenv("PATH").split(":", -1))
            .anyMatch(path -> Files.isExecutable(Path.of(path, "etcd")));
    if (!here) {
      System.err.println(
          "SKIPPED: there is no etcd on the PATH, so nothing of the etcd store is tested here. "
              + "On Debian: apt-get install --no-install-recommends etcd-server");
    }
    assumeTrue(here, "no etcd on the PATH; on Debian: apt-get install etcd-server");
  }

  /** A cluster that works. */
  static Etcd start(int size, String... options) {
    return start("http", size, List.of(options));
  }

  static Etcd start(String scheme, int size, List<String> options) {
    needed();
    // Another process may take a port between the look and the use.
    for (int tries = 1; ; tries++) {
      Etcd etcd = new Etcd(temporary(), size, scheme, options);
      try {
        etcd.members.forEach(member -> member.begin());
        etcd.members.forEach(Member::awaitListening);
        return etcd;
      } catch (IllegalStateException odd) {
        etcd.close();
        if (tries == 5) {
          throw odd;
        }
      }
    }
  }

  EtcdSettings settings() {
    return EtcdSettings.of(members.stream().map(Member::endpoint).toArray(String[]::new))
        .root("/test-" + ROOTS.incrementAndGet());
  }

  /** A client with a root of its own. */
  EtcdDatastore open() {
    return open(settings());
  }

  static EtcdDatastore open(EtcdSettings settings) {
    return EtcdDatastore.open(settings, new JacksonCodecs());
  }

  Member member(int index) {
    return members.get(index);
  }

  int size() {
    return members.size();
  }

  @Override
  public void close() {
    members.forEach(Member::end);
    try (Stream<Path> all = Files.walk(folder)) {
      all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    } catch (IOException odd) {
      throw new UncheckedIOException(odd);
    }
  }

  private static Path temporary() {
    try {
      Path target = Path.of("target").toAbsolutePath();
      Files.createDirectories(target);
      return Files.createTempDirectory(target, "etcd-");
    } catch (IOException odd) {
      throw new UncheckedIOException(odd);
    }
  }

  /**
   * Below those that the system gives to connections, so that they stay free while one restarts.
   */
  private static List<Integer> freePorts(int count) {
    List<Integer> found = new ArrayList<>();
    while (found.size() < count) {
      int port = ThreadLocalRandom.current().nextInt(12_000, 32_000);
      if (isFree(port) && !found.contains(port)) {
        found.add(port);
      }
    }
    return found;
  }

  private static boolean isFree(int port) {
    try {
      new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
      return true;
    } catch (IOException taken) {
      return false;
    }
  }

  /** One member. */
  final class Member {
    private final String name;
    private final int port;
    private final int peerPort;
    private Process process;
    private long pid;

    @SuppressWarnings("NullAway.Init")
    private Member(String name, int port, int peerPort) {
      this.name = name;
      this.port = port;
      this.peerPort = peerPort;
    }

    String endpoint() {
      return scheme + "://127.0.0.1:" + port;
    }

    private String peer() {
      return "http://127.0.0.1:" + peerPort;
    }

    /** Starts it, with the data that it has, if any. */
    void restart() {
      begin();
      awaitListening();
    }

    void begin() {
      List<String> command =
          new ArrayList<>(List.of("bash", SCRIPT.toString(), "member", "--name", name));
      command.addAll(List.of("--data-dir", folder.resolve(name).toString()));
      command.addAll(List.of("--listen-client-urls", endpoint()));
      command.addAll(List.of("--advertise-client-urls", endpoint()));
      command.addAll(
          List.of("--listen-peer-urls", peer(), "--initial-advertise-peer-urls", peer()));
      command.addAll(List.of("--initial-cluster", String.join(",", initial())));
      command.addAll(List.of("--heartbeat-interval", "50", "--election-timeout", "500"));
      command.addAll(more);
      try {
        process =
            new ProcessBuilder(command)
                .redirectError(
                    ProcessBuilder.Redirect.appendTo(folder.resolve(name + ".log").toFile()))
                .start();
        pid = Long.parseLong(process.inputReader().readLine().trim());
      } catch (IOException odd) {
        throw new UncheckedIOException(odd);
      }
    }

    private List<String> initial() {
      return members.stream().map(member -> member.name + "=" + member.peer()).toList();
    }

    private void awaitListening() {
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (true) {
        try {
          new java.net.Socket(InetAddress.getLoopbackAddress(), port).close();
          return;
        } catch (IOException notYet) {
          if (!isAlive() || System.nanoTime() - end > 0) {
            throw new IllegalStateException(name + " does not start; see " + folder, notYet);
          }
          java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
        }
      }
    }

    boolean isAlive() {
      return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    /** {@code kill -9}. */
    void kill() {
      signal("KILL");
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (isAlive()) {
        assertTrue(System.nanoTime() - end < 0, "a killed member dies");
        java.util.concurrent.locks.LockSupport.parkNanos(2_000_000);
      }
      end();
    }

    /** It is there and says nothing. */
    void stop() {
      signal("STOP");
    }

    void goOn() {
      signal("CONT");
    }

    private void signal(String name) {
      try {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start();
        assertTrue(kill.waitFor(20, TimeUnit.SECONDS), "kill answers");
      } catch (IOException odd) {
        throw new UncheckedIOException(odd);
      } catch (InterruptedException hurry) {
        Thread.currentThread().interrupt();
      }
    }

    private void end() {
      if (process == null) {
        return;
      }
      try {
        process.getOutputStream().close();
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (IOException alreadyGone) {
        process.destroyForcibly();
      } catch (InterruptedException hurry) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
