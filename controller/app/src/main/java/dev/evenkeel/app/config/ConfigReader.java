package dev.evenkeel.app.config;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.InvalidInputException.Fault;
import dev.evenkeel.app.serve.ServeSettings;
import dev.evenkeel.codec.jackson.Document;
import dev.evenkeel.codec.jackson.DocumentReader;
import dev.evenkeel.codec.jackson.Limits;
import dev.evenkeel.controller.config.ConfigOption;
import dev.evenkeel.controller.config.LoopConfigs;
import dev.evenkeel.controller.core.LoopConfig;
import dev.evenkeel.txn.history.HistoryOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Makes a configuration of a file, the environment and flags: what comes later beats what comes
 * before. All faults are told at once, each with where it stands. Blocks; one thread.
 */
public final class ConfigReader {
  private static final Limits LIMITS = new Limits(1 << 18, 8, 1 << 12);
  private static final Set<String> LEVELS =
      Set.of("off", "fatal", "error", "warn", "info", "debug", "trace");

  private final Map<String, Object> values = new TreeMap<>();
  private final Map<String, String> sources = new TreeMap<>();
  private final List<Fault> faults = new ArrayList<>();

  /**
   * Reads all.
   *
   * @param file JSON or YAML, by its name
   * @param environment of the process
   * @param flags option to value, of the command line
   * @throws InvalidInputException when anything is wrong: everything at once
   * @throws IOException when a file cannot be read
   */
  public static AppConfig read(
      Optional<Path> file, Map<String, String> environment, Map<String, String> flags)
      throws IOException {
    ConfigReader reader = new ConfigReader();
    if (file.isPresent()) {
      reader.file(file.get());
    }
    for (String name : names()) {
      String variable = AppOption.variable(name);
      String value = environment.get(variable);
      if (value != null) {
        reader.put(name, value, variable);
      }
    }
    flags.forEach((name, value) -> reader.put(name, value, "--set " + name));
    return reader.build(file.map(Path::toString).orElse("configuration"));
  }

  private static List<String> names() {
    return Stream.concat(
            LoopConfigs.options().stream().map(ConfigOption::name),
            AppOption.ALL.stream().map(AppOption::name))
        .toList();
  }

  private void put(String name, Object value, String source) {
    values.put(name, value);
    sources.put(name, source);
  }

  private void file(Path file) throws IOException {
    String what = file.toString();
    Document.Format format =
        Document.Format.of(what)
            .orElseThrow(
                () ->
                    InvalidInputException.of(
                        "configuration", "--config", what, "must end with .json, .yaml or .yml"));
    byte[] text;
    try (InputStream in = Files.newInputStream(file)) {
      text = in.readNBytes(LIMITS.bytes() + 1);
    }
    Document document = new DocumentReader(LIMITS).read(what, text, format);
    document
        .object(what)
        .forEach(
            (name, value) -> {
              Document.Place place = document.places().get(name);
              put(name, value, what + (place == null ? "" : ":" + place.line()));
            });
  }

  private AppConfig build(String what) throws IOException {
    Map<String, Object> rest = new TreeMap<>(values);
    AppOption.ALL.forEach(option -> rest.remove(option.name()));
    LoopConfig loop = LoopConfig.DEFAULT;
    try {
      loop = LoopConfigs.of(what, rest);
    } catch (InvalidInputException wrong) {
      wrong.faults().forEach(this::add);
    }
    Optional<ServeSettings> http = http();
    HistoryOptions history = history();
    Optional<String> otlp =
        Optional.of(text("otlpEndpoint", AppOption.NONE)).filter(t -> !t.equals(AppOption.NONE));
    if (otlp.filter(address -> !address.matches("https?://[^\\s/?#@]+(/[^\\s@]*)?")).isPresent()) {
      fault("otlpEndpoint", otlp.get(), "must be an address of http or https");
    }
    String level = text("logLevel", "warn");
    if (!LEVELS.contains(level)) {
      fault("logLevel", level, "must be off, error, warn, info, debug or trace");
    }
    if (!faults.isEmpty()) {
      throw new InvalidInputException(what, faults);
    }
    return new AppConfig(loop, http, history, otlp, level, shown());
  }

  private void add(Fault fault) {
    faults.add(new Fault(place(fault.field()), fault.given(), fault.reason()));
  }

  private void fault(String option, String given, String reason) {
    add(new Fault(option, given, reason));
  }

  /** Where an option stands, and its name; parts of one stand where it stands. */
  private String place(String field) {
    String option = field.split("\\.", 2)[0];
    String source = sources.get(option);
    return source == null || source.startsWith("--set") ? field : source + ": " + field;
  }

  private String text(String option, String standard) {
    Object value = values.get(option);
    return value == null ? standard : String.valueOf(value);
  }

  private int count(String option, int standard, int least, int most) {
    String text = text(option, Integer.toString(standard));
    int number = text.matches("\\d{1,9}") ? Integer.parseInt(text) : -1;
    if (number < least || number > most) {
      fault(option, text, "must be a whole number from " + least + " to " + most);
      return standard;
    }
    return number;
  }

  private HistoryOptions history() {
    HistoryOptions usual = HistoryOptions.standard();
    int records = count("transactionRecords", usual.records(), 0, 1 << 20);
    long bytes = usual.bytes();
    Object size = values.get("transactionBytes");
    if (size != null) {
      // The loop's own option of that form knows how sizes are written.
      try {
        bytes = LoopConfigs.of("size", Map.of("historyBytes", size)).historyBytes();
      } catch (InvalidInputException wrong) {
        fault("transactionBytes", String.valueOf(size), wrong.faults().get(0).reason());
      }
    }
    return records == 0 ? HistoryOptions.off() : usual.bounded(records, bytes, Duration.ofDays(1));
  }

  private Optional<ServeSettings> http() throws IOException {
    String where = text("http", ServeSettings.USUAL_HOST + ":" + ServeSettings.USUAL_PORT);
    Optional<String> token = secret("httpTokenFile");
    Optional<String> password = secret("httpKeystorePasswordFile");
    Optional<Path> keystore = path("httpKeystore");
    int streams = count("httpStreams", 250, 1, 1_000);
    if (where.equals("off") || where.equals("false")) {
      return Optional.empty();
    }
    int colon = where.lastIndexOf(':');
    String host = colon < 0 ? ServeSettings.USUAL_HOST : where.substring(0, colon);
    String port = where.substring(colon + 1);
    if (!port.matches("\\d{1,5}") || host.isEmpty()) {
      fault("http", where, "must be address:port, a port, or off");
      return Optional.empty();
    }
    try {
      return Optional.of(
          new ServeSettings(
              host.replaceAll("^\\[|]$", ""),
              Integer.parseInt(port),
              token,
              keystore,
              password,
              streams));
    } catch (InvalidInputException wrong) {
      for (Fault one : wrong.faults()) {
        fault(option(one.field()), one.given(), one.reason());
      }
      return Optional.empty();
    }
  }

  private static String option(String field) {
    return switch (field) {
      case "token" -> "httpTokenFile";
      case "keystorePassword" -> "httpKeystorePasswordFile";
      default -> "http";
    };
  }

  private Optional<Path> path(String option) {
    String text = text(option, "");
    if (text.isEmpty() || text.equals(AppOption.NONE)) {
      return Optional.empty();
    }
    Path path = Path.of(text);
    if (!Files.isReadable(path) || Files.isDirectory(path)) {
      fault(option, text, "must be a file that can be read");
    }
    return Optional.of(path);
  }

  /** The first line of a file. */
  private Optional<String> secret(String option) throws IOException {
    Optional<Path> path = path(option).filter(Files::isReadable).filter(Files::isRegularFile);
    if (path.isEmpty()) {
      return Optional.empty();
    }
    try (Stream<String> lines = Files.lines(path.get())) {
      return Optional.of(lines.findFirst().orElse("").strip());
    }
  }

  private Map<String, AppConfig.Shown> shown() {
    Map<String, AppConfig.Shown> shown = new LinkedHashMap<>();
    AppOption.ALL.forEach(
        option -> shown.put(option.name(), shown(option.name(), option.standard())));
    LoopConfigs.options()
        .forEach(option -> shown.put(option.name(), shown(option.name(), option.standard())));
    return shown;
  }

  private AppConfig.Shown shown(String name, String standard) {
    Object value = values.get(name);
    return value == null
        ? new AppConfig.Shown(standard, "default")
        : new AppConfig.Shown(String.valueOf(value), sources.getOrDefault(name, "default"));
  }
}
