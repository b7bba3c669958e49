package dev.evenkeel.app;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.app.config.AppConfig;
import dev.evenkeel.app.config.ConfigReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of commands that take a configuration. */
final class ConfigOptions {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The configuration, in YAML or JSON; docs/configuration.md has all options.")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--set",
      paramLabel = "OPTION=VALUE",
      description = "Sets an option; beats the file and the environment (EVENKEEL_...).")
  private Map<String, String> set = new LinkedHashMap<>();

  @Option(
      names = "--http",
      paramLabel = "[ADDRESS:]PORT|off",
      description = "Where to listen: --set http=...")
  private Optional<String> http = Optional.empty();

  boolean httpGiven() {
    return http.isPresent();
  }

  /** The configuration; a fault is an error of use. */
  AppConfig read(CommandSpec spec) throws IOException {
    if (file.filter(path -> !Files.isReadable(path)).isPresent()) {
      throw new ParameterException(spec.commandLine(), file.get() + " cannot be read");
    }
    Map<String, String> flags = new LinkedHashMap<>(set);
    http.ifPresent(where -> flags.put("http", where));
    try {
      return ConfigReader.read(file, System.getenv(), flags);
    } catch (InvalidInputException wrong) {
      StringBuilder text = new StringBuilder();
      for (InvalidInputException.Fault fault : wrong.faults()) {
        text.append(text.isEmpty() ? "" : "\nevenkeel: ").append(fault.field());
        text.append(fault.given().isEmpty() ? "" : " = " + fault.given());
        text.append(": ").append(fault.reason());
      }
      throw new ParameterException(spec.commandLine(), text.toString());
    }
  }
}
