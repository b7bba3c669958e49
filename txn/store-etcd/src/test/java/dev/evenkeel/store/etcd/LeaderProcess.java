package dev.evenkeel.store.etcd;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.election.Leadership;
import dev.evenkeel.tck.datastore.Item;
import dev.evenkeel.tck.datastore.ItemKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A controller in a process of its own: it runs for leader as long as it lives, and writes when it
 * is told to. It ends with its standard input.
 */
final class LeaderProcess implements AutoCloseable {
  private final Process process;
  private final PrintWriter orders;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  LeaderProcess(EtcdSettings settings) throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            LeaderProcess.class.getName(),
            settings.endpoints().get(0).toString(),
            settings.root());
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    orders = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
    Thread reader = new Thread(this::read, "leader-process");
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        answers.add(line);
      }
      answers.add("the process has ended");
    } catch (IOException over) {
      answers.add("over: " + over);
    }
  }

  void send(String order) {
    orders.println(order);
  }

  String write(int number) throws InterruptedException {
    send("write " + number);
    return answer("write");
  }

  String answer(String order) throws InterruptedException {
    String line = answers.poll(Etcd.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertTrue(
        line != null && line.startsWith(order + ": "), () -> order + " was answered " + line);
    return line.substring(order.length() + 2);
  }

  void signal(String name) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    assertTrue(kill.waitFor(20, TimeUnit.SECONDS), "kill answers");
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /** The process: endpoint and root. */
  public static void main(String[] args) throws IOException {
    EtcdSettings settings = EtcdSettings.of(URI.create(args[0]).toString()).root(args[1]);
    AtomicReference<Epoch> epoch = new AtomicReference<>(Epoch.NONE);
    Epoch written = Epoch.NONE;
    try (EtcdElection election = EtcdElection.open(settings, Duration.ofSeconds(1));
        EtcdDatastore store = Etcd.open(settings);
        BufferedReader orders =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      run(election, epoch);
      for (String line = orders.readLine(); line != null; line = orders.readLine()) {
        String[] order = line.split(" ", 2);
        // A stale order is done under the epoch of the last write, whatever has been won since.
        Epoch under = order[0].equals("stale") ? written : Objects.requireNonNull(epoch.get());
        String done =
            under.equals(Epoch.NONE) ? "waits" : write(store, Integer.parseInt(order[1]), under);
        written = done.equals("written") ? under : written;
        System.out.println(order[0] + ": " + done);
      }
    } catch (UncheckedIOException over) {
      System.exit(1);
    }
  }

  private static String write(EtcdDatastore store, int number, Epoch under) {
    try {
      var unused =
          store
              .blocking()
              .apply(
                  KeyValue.of(new ItemKey("shared"), new Item("", number)),
                  Call.within(Duration.ofSeconds(30)).under(under));
      return "written";
    } catch (DatastoreException.Fenced refused) {
      return "fenced";
    } catch (EvenkeelException other) {
      return "failed: " + other.kind() + " " + other.getMessage();
    }
  }

  private static void run(EtcdElection election, AtomicReference<Epoch> epoch) {
    var unused =
        election
            .campaign("process")
            .thenAccept(
                (Leadership term) -> {
                  epoch.set(term.epoch());
                  var unused2 = term.lost().thenRun(() -> run(election, epoch));
                });
  }
}
