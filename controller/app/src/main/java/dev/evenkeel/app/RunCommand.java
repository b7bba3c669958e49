package dev.evenkeel.app;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.app.config.AppConfig;
import dev.evenkeel.app.run.Entries;
import dev.evenkeel.app.run.ServiceRun;
import dev.evenkeel.app.run.WorkloadRun;
import dev.evenkeel.app.serve.ServeSettings;
import dev.evenkeel.app.workload.WorkloadReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code run}: a workload of anyone's, on a state directory of anyone's. */
@Command(
    name = "run",
    description = {
      "Keep a controller running, for operators and tools to look at, until it is told to end.",
      "With --events run the volume events of a file, one JSON object on a line, and end."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before it calls anything
final class RunCommand implements Callable<Integer> {
  /** Longest file, in lines that count; a stream has no end that must be known. */
  private static final int MOST_EVENTS = 100_000;

  @Spec private CommandSpec spec;
  @Mixin private Settings settings;

  @Option(
      names = "--events",
      paramLabel = "FILE|-",
      description = {
        "The events; - reads standard input and runs each as it comes.",
        "docs/demo/README.md has the format."
      })
  private Optional<String> events = Optional.empty();

  @Option(
      names = "--state-dir",
      required = true,
      paramLabel = "DIR",
      description = "Where store and volumes live; made when absent. One process at a time.")
  private Path stateDir;

  @Option(
      names = "--demo-faults",
      description = "Let lines ask for a failure on purpose (\"fault\").")
  private boolean demoFaults;

  @Option(
      names = "--demo-switch",
      description = "Have the mock switch of the examples, to try values with.")
  private boolean demoSwitch;

  @Option(
      names = "--record",
      paramLabel = "DIR",
      description = "Record what is decided and why into a new folder, for replay.")
  private Optional<Path> record = Optional.empty();

  @Mixin private ConfigOptions configuration;

  @Override
  public Integer call() throws Exception {
    settings.configureLogging();
    notEmpty(spec, "--state-dir", stateDir.toString());
    if (events.isEmpty()) {
      return serve();
    }
    if (demoSwitch || configuration.httpGiven()) {
      throw new ParameterException(
          spec.commandLine(), "--events ends with its events: leave out --http and --demo-switch");
    }
    return workload(events.get());
  }

  private int serve() throws Exception {
    if (record.isPresent()) {
      throw new ParameterException(spec.commandLine(), "--record goes with --events");
    }
    AppConfig config = configuration.read(spec);
    ServeSettings http =
        config
            .http()
            .orElseThrow(
                () ->
                    new ParameterException(
                        spec.commandLine(), "without --events it must listen: --http off is none"));
    settings.configureLogging(config.logLevel());
    PrintWriter out = spec.commandLine().getOut();
    new ServiceRun(stateDir, config, http, demoFaults, demoSwitch)
        .execute(
            line -> {
              out.println(line);
              out.flush();
            });
    return ExitStatus.AS_EXPECTED;
  }

  private int workload(String events) throws Exception {
    notEmpty(spec, "--events", events);
    WorkloadRun run =
        new WorkloadRun(
            "run", events, stateDir, settings.report(spec.commandLine().getOut()), record);
    if (events.equals("-")) {
      try (WorkloadReader reader = new WorkloadReader("stdin", System.in, demoFaults)) {
        return status(run.execute(Entries.of(reader)));
      }
    }
    return status(run.execute(entries(spec, Path.of(events), events, demoFaults)));
  }

  /** An empty name means the current folder to Java, and an unset variable to a shell. */
  static void notEmpty(CommandSpec spec, String option, String given) {
    if (given.isEmpty()) {
      throw new ParameterException(spec.commandLine(), option + " must not be empty");
    }
  }

  /** A whole file, read before anything is run. */
  static Entries entries(CommandSpec spec, Path file, String shown, boolean demoFaults) {
    try (InputStream in = Files.newInputStream(file);
        WorkloadReader reader = new WorkloadReader(shown, in, demoFaults)) {
      return Entries.of(reader.all(MOST_EVENTS));
    } catch (NoSuchFileException missing) {
      throw new ParameterException(spec.commandLine(), shown + " does not exist");
    } catch (AccessDeniedException denied) {
      throw new ParameterException(spec.commandLine(), shown + " may not be read");
    } catch (IOException unreadable) {
      String why =
          unreadable instanceof FileSystemException known && known.getReason() != null
              ? known.getReason()
              : unreadable.getMessage();
      throw new ParameterException(spec.commandLine(), shown + " cannot be read: " + why);
    } catch (InvalidInputException tooLong) {
      throw new ParameterException(spec.commandLine(), String.valueOf(tooLong.getMessage()));
    }
  }

  static int status(boolean asExpected) {
    return asExpected ? ExitStatus.AS_EXPECTED : ExitStatus.DIFFERENT;
  }
}
