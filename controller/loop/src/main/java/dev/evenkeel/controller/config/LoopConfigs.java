package dev.evenkeel.controller.config;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.InvalidInputException.Fault;
import dev.evenkeel.codec.jackson.Document;
import dev.evenkeel.codec.jackson.DocumentReader;
import dev.evenkeel.codec.jackson.Limits;
import dev.evenkeel.controller.core.LoopConfig;
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
import java.util.TreeSet;

/**
 * Makes a {@link LoopConfig} of what people write: a JSON or YAML file, or a map. What is left out
 * is as usual. Every fault is reported at once, with its key, what was given, and what is right;
 * unknown keys are faults, with the one that may have been meant. Any thread.
 */
@Experimental
public final class LoopConfigs {
  private static final Limits LIMITS = new Limits(1 << 18, 8, 1 << 12);
  private static final int SHOWN = 80;

  private LoopConfigs() {}

  /**
   * Reads a file whose name ends with {@code .json}, {@code .yaml} or {@code .yml}. Blocks.
   *
   * @throws IOException when it cannot be read
   * @throws InvalidInputException when it is wrong
   */
  public static LoopConfig read(Path file) throws IOException {
    String what = file.toString();
    Document.Format format =
        Document.Format.of(what)
            .orElseThrow(
                () ->
                    InvalidInputException.of(
                        what, "name", what, "must end with .json, .yaml or .yml"));
    try (InputStream in = Files.newInputStream(file)) {
      return parse(what, in.readNBytes(LIMITS.bytes() + 1), format);
    }
  }

  /**
   * Takes a text.
   *
   * @param what for messages, such as a file's name
   */
  public static LoopConfig parse(String what, byte[] utf8, Document.Format format) {
    return of(what, new DocumentReader(LIMITS).read(what, utf8, format).object(what));
  }

  /**
   * Takes values: texts, numbers, booleans, and for {@code retry} a map.
   *
   * @param what for messages
   */
  public static LoopConfig of(String what, Map<String, ?> values) {
    List<Fault> faults = new ArrayList<>();
    LoopConfig.Builder builder = LoopConfig.builder();
    Map<String, Object> left = new TreeMap<>(values);
    Map<String, Object> given = new TreeMap<>();
    for (Option<?> option : Options.ALL) {
      Object tree = left.remove(option.name());
      if (tree != null) {
        given.put(option.name(), tree);
        set(option, builder, tree, faults);
      }
    }
    Object retry = left.remove("retry");
    if (retry != null) {
      Retry.read(retry, faults)
          .ifPresent(chosen -> chosen.ifPresentOrElse(builder::retry, builder::withoutRetry));
    }
    left.forEach(
        (name, tree) ->
            faults.add(new Fault(name, shown(tree), Names.unknown(name, names(), former()))));
    return build(what, builder, given, faults);
  }

  private static void set(
      Option<?> option, LoopConfig.Builder builder, Object tree, List<Fault> faults) {
    try {
      option.set(builder, tree);
    } catch (Wrong wrong) {
      faults.add(new Fault(option.name(), shown(tree), wrong.wanted()));
    }
  }

  /** What the record itself finds wrong is told in the words that were written. */
  private static LoopConfig build(
      String what, LoopConfig.Builder builder, Map<String, Object> given, List<Fault> faults) {
    Optional<LoopConfig> built = Optional.empty();
    try {
      built = Optional.of(builder.build());
    } catch (InvalidInputException wrong) {
      Set<String> told = new TreeSet<>();
      faults.forEach(fault -> told.add(fault.field()));
      for (Fault fault : wrong.faults()) {
        if (told.add(fault.field())) {
          Object tree = given.get(fault.field());
          String text = tree == null ? fault.given() : shown(tree);
          faults.add(new Fault(fault.field(), text, fault.reason()));
        }
      }
    }
    if (!faults.isEmpty()) {
      throw new InvalidInputException(what, faults);
    }
    return built.orElseThrow();
  }

  static String shown(Object tree) {
    String text = tree instanceof Duration time ? Units.text(time) : String.valueOf(tree);
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN - 3) + "...";
  }

  private static List<String> names() {
    return options().stream().map(ConfigOption::name).toList();
  }

  private static Map<String, String> former() {
    Map<String, String> former = new LinkedHashMap<>();
    for (ConfigOption option : options()) {
      option.ancestors().forEach(name -> former.put(name, option.name()));
    }
    former.put("enableRetry", "retry (off, or its parts)");
    former.put("delayRetry", "retry.first");
    former.put("maxRetryAttempts", "retry.attempts");
    former.put("enableExpBackoffRetry", "retry.factor (1 or 2)");
    return former;
  }

  /** All options, in the order of the documentation. */
  public static List<ConfigOption> options() {
    List<ConfigOption> all = new ArrayList<>();
    Options.ALL.forEach(option -> all.add(option.described()));
    all.add(
        new ConfigOption(
            "retry",
            "off, or an object of first, factor, cap, attempts, jitter",
            Retry.text(LoopConfig.DEFAULT.retry()),
            List.of("enableRetry", "delayRetry", "maxRetryAttempts", "enableExpBackoffRetry"),
            "how values that failed are tried again, when whoever put them says nothing"));
    return List.copyOf(all);
  }
}
