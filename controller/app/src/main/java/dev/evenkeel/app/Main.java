package dev.evenkeel.app;

import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The entry point of the command line. */
@Command(
    name = "evenkeel",
    description = "Reconciling controllers and storage drivers.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class)
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
    System.exit(commandLine().execute(args));
  }

  /** The command line as it is parsed and run, for {@link #main} and for tests. */
  static CommandLine commandLine() {
    return new CommandLine(new Main());
  }

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "Which command?");
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
