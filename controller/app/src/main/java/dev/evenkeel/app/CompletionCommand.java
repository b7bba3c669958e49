package dev.evenkeel.app;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code completion}: a script for the shell. */
@Command(
    name = "completion",
    description = {
      "Prints a script that completes commands and options in bash and zsh:",
      "source <(./evenkeel completion)"
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before it calls anything
final class CompletionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    spec.commandLine().getOut().print(AutoComplete.bash("evenkeel", root));
    spec.commandLine().getOut().flush();
    return ExitStatus.AS_EXPECTED;
  }
}
