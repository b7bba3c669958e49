package dev.evenkeel.app;

import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.app.ask.DoctorCommand;
import dev.evenkeel.app.ask.ExplainCommand;
import dev.evenkeel.app.ask.GraphCommand;
import dev.evenkeel.app.ask.HistoryCommand;
import dev.evenkeel.app.ask.LocksCommand;
import dev.evenkeel.app.ask.LogCommand;
import dev.evenkeel.app.ask.NoAnswerException;
import dev.evenkeel.app.ask.PushCommand;
import dev.evenkeel.app.ask.ReportCommand;
import dev.evenkeel.app.ask.ResyncCommand;
import dev.evenkeel.app.ask.StatusCommand;
import dev.evenkeel.app.ask.TxnCommand;
import dev.evenkeel.app.ask.ValuesCommand;
import dev.evenkeel.app.ask.VolumesCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The entry point of the command line. */
@Command(
    name = "evenkeel",
    description = "Reconciling controllers and storage drivers.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    scope = ScopeType.INHERIT,
    subcommands = {
      DemoCommand.class,
      ExamplesCommand.class,
      RunCommand.class,
      CsiCommand.class,
      ConfigCommand.class,
      CompletionCommand.class,
      DoctorCommand.class,
      ExplainCommand.class,
      GraphCommand.class,
      HistoryCommand.class,
      LocksCommand.class,
      LogCommand.class,
      PushCommand.class,
      ReplayCommand.class,
      ReportCommand.class,
      ResyncCommand.class,
      StatusCommand.class,
      TxnCommand.class,
      ValuesCommand.class,
      VolumesCommand.class
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:every event ended as expected, and the disk holds what the history says; a question was"
          + " answered",
      "1:some event ended otherwise, or the disk differs; the answer is no: there is no such"
          + " thing, the controller is not ready, something failed",
      "2:the command line or the configuration is wrong, or the file of events cannot be read",
      "3:the run could not begin or go on: the state directory is in use, not writable, of a newer"
          + " version, or its disk is full; no controller answers; the output cannot be written",
      "130, 143:called off by a signal; what was begun is ended, the rest is not run"
    })
public final class Main implements Callable<Integer> {

  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls anything
  @Spec
  private CommandSpec spec;

  private Main() {}

  /**
   * Runs one command and ends the process with its exit status.
   *
   * @param args the command line, without the program's name
   */
  public static void main(String[] args) {
    CommandLine commandLine = commandLine();
    System.exit(status(commandLine.execute(args), commandLine.getOut()));
  }

  /** What was to be told and could not be written is a failure, whatever else went well. */
  static int status(int status, PrintWriter out) {
    boolean lost = out.checkError() || System.out.checkError();
    if (lost) {
      System.err.println("evenkeel: the output cannot be written");
    }
    return lost && status == ExitStatus.AS_EXPECTED ? ExitStatus.CANNOT_GO_ON : status;
  }

  /** The command line as it is parsed and run, for {@link #main} and for tests. */
  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setParameterExceptionHandler(Main::misused)
        .setExecutionExceptionHandler(Main::failed);
  }

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "Which command?");
  }

  /** What is wrong, and where to read on; the whole help would push it out of sight. */
  private static int misused(ParameterException wrong, String[] arguments) {
    CommandLine commandLine = wrong.getCommandLine();
    PrintWriter err = commandLine.getErr();
    err.println("evenkeel: " + wrong.getMessage());
    boolean unused = UnmatchedArgumentException.printSuggestions(wrong, err);
    err.println(
        "./" + commandLine.getCommandSpec().qualifiedName() + " --help tells what there is.");
    err.flush();
    return ExitStatus.USAGE;
  }

  /** What is known is told in one line; what is not is told with its stack. */
  private static int failed(
      Exception failure, CommandLine commandLine, CommandLine.ParseResult parsed) {
    if (failure instanceof EvenkeelException || failure instanceof IOException) {
      String message = Objects.requireNonNullElse(failure.getMessage(), failure.toString());
      commandLine.getErr().println("evenkeel: " + message);
    } else {
      commandLine.getErr().println("evenkeel: something unforeseen; please report it:");
      failure.printStackTrace(commandLine.getErr());
    }
    commandLine.getErr().flush();
    return failure instanceof NoAnswerException refused
        ? switch (refused.status()) {
          case 400 -> ExitStatus.USAGE;
          case 403, 404, 409, 413, 501 -> ExitStatus.DIFFERENT;
          default -> ExitStatus.CANNOT_GO_ON;
        }
        : ExitStatus.CANNOT_GO_ON;
  }

  /** Tells the version that the build wrote into the jar's manifest. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"evenkeel " + Objects.requireNonNullElse(version, "development")};
    }
  }
}
