package dev.evenkeel.app;

import dev.evenkeel.app.run.ReplayRun;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code replay}: would it do the same again? */
@Command(
    name = "replay",
    description = {
      "Feed a recording to the handlers as they are now, and compare every decision.",
      "Runs no effect: what backend and store answered is in the recording."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before it calls anything
final class ReplayCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "DIR",
      description = "A folder that demo or run has made with --record, or one file of a test.")
  private Path recording;

  @Option(
      names = "--from",
      paramLabel = "N",
      description = "The first turn that is compared; those before are only fed.",
      defaultValue = "1")
  private long from;

  @Option(
      names = "--to",
      paramLabel = "N",
      description = "The last turn.",
      defaultValue = "9223372036854775807",
      showDefaultValue = Visibility.NEVER)
  private long to;

  @Override
  public Integer call() throws Exception {
    if (!Files.exists(recording)) {
      throw new ParameterException(spec.commandLine(), recording + " does not exist");
    }
    if (from < 1 || to < from) {
      throw new ParameterException(spec.commandLine(), "--from is at least 1, --to not before it");
    }
    ReplayRun.Result result = ReplayRun.of(recording, from, to);
    PrintWriter out = spec.commandLine().getOut();
    out.println(result.text());
    out.flush();
    return result.same() ? ExitStatus.AS_EXPECTED : ExitStatus.DIFFERENT;
  }
}
