package dev.evenkeel.bench;

import dev.evenkeel.bench.loop.LoopBench;
import dev.evenkeel.bench.store.StoreBench;
import dev.evenkeel.bench.txn.TxnBench;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** {@code ./evenkeel bench NAME [--quick | --smoke]}. */
public final class Bench {
  private static final List<Suite> SUITES =
      List.of(new LoopBench(), new TxnBench(), new StoreBench());
  private static final int SHORT = 1;
  private static final int MISUSED = 2;

  private Bench() {}

  /** Runs one suite; exit status 1 when a ratio is short. */
  public static void main(String[] args) throws Exception {
    Plan plan = plan(args);
    Optional<Suite> found =
        SUITES.stream().filter(suite -> args.length > 0 && suite.name().equals(args[0])).findAny();
    if (plan == null || found.isEmpty()) {
      usage(System.err);
      System.exit(MISUSED);
    }
    Report report = new Report(System.out, plan.isJudged());
    header(report, args[0], plan);
    long from = System.nanoTime();
    found.get().run(plan, report);
    report.figure("seconds that this took", (System.nanoTime() - from) / 1e9, "s");
    System.exit(report.isShort() ? SHORT : 0);
  }

  private static Plan plan(String[] args) {
    if (args.length == 1) {
      return Plan.FULL;
    }
    return args.length != 2
        ? null
        : switch (args[1]) {
          case "--quick" -> Plan.QUICK;
          case "--smoke" -> Plan.SMOKE;
          default -> null;
        };
  }

  private static void usage(PrintStream out) {
    out.println("Usage: ./evenkeel bench NAME [--quick | --smoke]");
    SUITES.forEach(suite -> out.printf("  %-10s %s%n", suite.name(), suite.about()));
    out.println("--quick runs each contestant in one JVM; --smoke only shows that all of it runs.");
  }

  private static void header(Report report, String name, Plan plan) throws IOException {
    report.about("bench", name + ", " + plan.name());
    report.about("processors", Runtime.getRuntime().availableProcessors());
    report.about("processor", processor());
    report.about("load", load());
    report.about("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    report.about(
        "jdk",
        System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
    report.about("forks", plan.forks());
    report.about(
        "iterations",
        plan.iterations() + " of " + plan.millis() + " ms after " + plan.warmups() + " to warm up");
  }

  private static String processor() throws IOException {
    Path info = Path.of("/proc/cpuinfo");
    if (!Files.isReadable(info)) {
      return System.getProperty("os.arch");
    }
    return Files.readAllLines(info).stream()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .distinct()
        .collect(Collectors.joining(", "));
  }

  private static String load() throws IOException {
    Path load = Path.of("/proc/loadavg");
    return Files.isReadable(load) ? Files.readString(load).strip() : "unknown";
  }
}
