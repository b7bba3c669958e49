package dev.evenkeel.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs one JMH benchmark once, in one JVM, as a turn of a {@link Contest}. */
public final class Jmh {
  private Jmh() {}

  /**
   * Runs the benchmark methods of a class that has one.
   *
   * @param threads that call it
   * @param parameters values of its parameters
   * @param options of the JVM
   * @return figure {@code score}: the median of the iterations, in the benchmark's own unit
   */
  public static Map<String, Double> run(
      Class<?> benchmark,
      Plan plan,
      int threads,
      Map<String, String> parameters,
      List<String> options)
      throws RunnerException {
    ChainedOptionsBuilder builder =
        new OptionsBuilder()
            .include("^\\Q" + benchmark.getName() + "\\E\\.")
            .forks(1)
            .threads(threads)
            .warmupIterations(plan.warmups())
            .warmupTime(TimeValue.milliseconds(plan.millis()))
            .measurementIterations(plan.iterations())
            .measurementTime(TimeValue.milliseconds(plan.millis()))
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .jvmArgs(options.toArray(String[]::new));
    parameters.forEach(builder::param);
    RunResult ran = new Runner(builder.build()).runSingle();
    double[] scores =
        ran.getBenchmarkResults().stream()
            .flatMap(fork -> fork.getIterationResults().stream())
            .map(IterationResult::getPrimaryResult)
            .mapToDouble(result -> result.getScore())
            .toArray();
    if (scores.length == 0) {
      throw new IllegalStateException(benchmark + " has no results: " + Arrays.toString(scores));
    }
    return Map.of("score", Contest.median(scores));
  }
}
