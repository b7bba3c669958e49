package dev.evenkeel.app;

import dev.evenkeel.app.config.AppConfig;
import dev.evenkeel.app.serve.JsonText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code config}: is it right, and what holds. */
@Command(
    name = "config",
    description = "Checks a configuration, or shows what holds and where it comes from.",
    subcommands = {ConfigCommand.Check.class, ConfigCommand.Show.class})
@SuppressWarnings("NullAway.Init") // picocli sets the fields before it calls anything
final class ConfigCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "config check, or config show?");
  }

  /** {@code config check}. */
  @Command(
      name = "check",
      description = "Tells everything that is wrong, with its place; exit status 2 when there is.")
  static final class Check implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private ConfigOptions options;

    @Override
    public Integer call() throws IOException {
      AppConfig config = options.read(spec);
      long given =
          config.shown().values().stream().filter(one -> !one.source().equals("default")).count();
      spec.commandLine().getOut().println("Good: " + given + " options set, the rest as usual.");
      spec.commandLine().getOut().flush();
      return ExitStatus.AS_EXPECTED;
    }
  }

  /** {@code config show}. */
  @Command(name = "show", description = "Every option, its value, and where that comes from.")
  static final class Show implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private ConfigOptions options;

    @Option(names = "--output", paramLabel = "table|json", description = "For people or programs.")
    private Output output = Output.table;

    /** In lower case, as they are written. */
    private enum Output {
      table,
      json
    }

    @Override
    public Integer call() throws IOException {
      Map<String, AppConfig.Shown> shown = options.read(spec).shown();
      PrintWriter out = spec.commandLine().getOut();
      if (output == Output.json) {
        Map<String, Object> tree = new LinkedHashMap<>();
        shown.forEach(
            (name, one) -> tree.put(name, Map.of("value", one.value(), "source", one.source())));
        out.println(new String(JsonText.of(tree), StandardCharsets.UTF_8));
      } else {
        shown.forEach(
            (name, one) ->
                out.println((name + ": " + one.value() + "  # " + one.source()).stripTrailing()));
      }
      out.flush();
      return ExitStatus.AS_EXPECTED;
    }
  }
}
