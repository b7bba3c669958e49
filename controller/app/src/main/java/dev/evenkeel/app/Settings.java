package dev.evenkeel.app;

import dev.evenkeel.app.show.JsonReport;
import dev.evenkeel.app.show.Report;
import dev.evenkeel.app.show.Style;
import dev.evenkeel.app.show.TextReport;
import java.io.PrintWriter;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Option;

/** What all commands that run something take. */
final class Settings {
  @Option(
      names = {"-q", "--quiet"},
      description = "Show only what did not end as expected, and the last line.")
  private boolean quiet;

  @Option(
      names = {"-v", "--verbose"},
      description = "Log more to standard error; twice for everything.")
  private boolean[] verbose = new boolean[0];

  @Option(
      names = "--output",
      paramLabel = "text|json",
      description = "For people (the default), or one line of JSON for each event.")
  private Output output = Output.text;

  /** In lower case, as they are written. */
  private enum Output {
    text,
    json
  }

  /** Log4j2's configuration asks for this property; set before the first logger is made. */
  void configureLogging() {
    if (verbose.length > 0) {
      System.setProperty("evenkeel.log.level", verbose.length == 1 ? "INFO" : "DEBUG");
    }
  }

  /** The same when a configuration names a level; what the command line says beats it. */
  void configureLogging(String level) {
    if (verbose.length == 0) {
      Configurator.setRootLevel(Level.toLevel(level, Level.WARN));
    }
  }

  /** The report on that output. */
  Report report(PrintWriter out) {
    return output == Output.json
        ? new JsonReport(out)
        : new TextReport(out, Style.of(Style.outputCharset(), Ansi.AUTO), quiet);
  }
}
