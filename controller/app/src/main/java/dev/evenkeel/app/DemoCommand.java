package dev.evenkeel.app;

import dev.evenkeel.app.run.WorkloadRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code demo}: the workload that comes with the project. */
@Command(
    name = "demo",
    description = "Create, break, put back and delete real volumes: runs docs/demo/workload.jsonl.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields before it calls anything
final class DemoCommand implements Callable<Integer> {
  private static final String WORKLOAD = "docs/demo/workload.jsonl";

  @Spec private CommandSpec spec;
  @Mixin private Settings settings;

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description = "Where store and volumes live; a fresh directory under target/ when not given.")
  private Optional<Path> stateDir;

  @Option(
      names = "--record",
      paramLabel = "DIR",
      description = "Record what is decided and why into a new folder, for replay.")
  private Optional<Path> record = Optional.empty();

  @Override
  public Integer call() throws Exception {
    settings.configureLogging();
    stateDir.ifPresent(dir -> RunCommand.notEmpty(spec, "--state-dir", dir.toString()));
    Path home = home();
    Path directory = stateDir.isPresent() ? stateDir.get() : fresh(home);
    WorkloadRun run =
        new WorkloadRun(
            "demo", WORKLOAD, directory, settings.report(spec.commandLine().getOut()), record);
    return RunCommand.status(
        run.execute(RunCommand.entries(spec, home.resolve(WORKLOAD), WORKLOAD, true)));
  }

  /** The project's folder, which the launcher tells. */
  private Path home() {
    String home = System.getProperty("evenkeel.home", "");
    if (home.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "demo is started by the launcher, ./evenkeel demo");
    }
    return Path.of(home);
  }

  /**
   * A new directory that nobody else has; what is built goes there, too, and is as easily removed.
   */
  private static Path fresh(Path home) throws IOException {
    Path target = home.resolve("controller/app/target");
    OldDemos.remove(target, InstantSource.system());
    return Files.isWritable(target)
        ? Files.createTempDirectory(target, "demo-")
        : Files.createTempDirectory("evenkeel-demo-");
  }
}
