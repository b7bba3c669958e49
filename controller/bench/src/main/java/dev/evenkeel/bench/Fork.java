package dev.evenkeel.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Runs a {@link Measure} in a JVM of its own, for what JMH has no mode for. */
public final class Fork {
  private static final String MARK = "@figure\t";
  private static final long LIMIT_SECONDS = 300;

  private Fork() {}

  /**
   * What runs in that JVM. Implementations are public, with a public constructor of no arguments.
   */
  public interface Measure {
    /** Measures one contestant; figures by name. */
    Map<String, Double> measure(String contestant, Plan plan) throws Exception;
  }

  /** Runs it, and returns its figures. */
  public static Map<String, Double> run(
      Class<? extends Measure> measure, String contestant, Plan plan, String... options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Fork.class.getName()));
    command.addAll(List.of(measure.getName(), contestant, plan.name(), "" + plan.forks()));
    command.addAll(List.of("" + plan.warmups(), "" + plan.iterations(), "" + plan.millis()));
    Process process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
    try {
      Map<String, Double> figures = read(process);
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IllegalStateException(measure.getName() + " of " + contestant + " failed");
      }
      return figures;
    } finally {
      process.destroyForcibly();
    }
  }

  private static Map<String, Double> read(Process process) throws IOException {
    Map<String, Double> figures = new TreeMap<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String line = lines.readLine();
      while (line != null) {
        if (line.startsWith(MARK)) {
          String[] parts = line.substring(MARK.length()).split("\t");
          figures.put(parts[0], Double.valueOf(parts[1]));
        }
        line = lines.readLine();
      }
    }
    return figures;
  }

  /** The child. */
  public static void main(String[] args) throws Exception {
    Plan plan =
        new Plan(
            args[2],
            Integer.parseInt(args[3]),
            Integer.parseInt(args[4]),
            Integer.parseInt(args[5]),
            Integer.parseInt(args[6]));
    Measure measure = (Measure) Class.forName(args[0]).getConstructor().newInstance();
    PrintStream out = System.out;
    measure
        .measure(args[1], plan)
        .forEach((name, value) -> out.println(MARK + name + "\t" + value));
    out.flush();
    System.exit(0); // threads that a peer left behind do not matter
  }
}
