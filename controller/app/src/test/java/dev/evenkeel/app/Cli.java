package dev.evenkeel.app;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Objects;
import picocli.CommandLine;

/** Runs the command line inside the test. */
public final class Cli {
  /** The folder of the whole project. */
  public static final Path ROOT =
      Path.of(Objects.requireNonNull(System.getProperty("evenkeel.root")));

  private Cli() {}

  /**
   * How it ended.
   *
   * @param status of the process that it would have been
   * @param out standard output
   * @param err standard error
   */
  public record Result(int status, String out, String err) {
    /** All of it, for texts of failures. */
    public String all() {
      return "status " + status + "\n" + out + err;
    }
  }

  /** Runs one command. */
  public static Result run(String... arguments) {
    System.setProperty("evenkeel.home", ROOT.toString());
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine commandLine =
        Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return new Result(commandLine.execute(arguments), out.toString(), err.toString());
  }
}
