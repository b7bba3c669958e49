package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.txn.RetryPolicy;
import dev.evenkeel.codec.jackson.Document.Format;
import dev.evenkeel.controller.config.ConfigOption;
import dev.evenkeel.controller.config.LoopConfigs;
import dev.evenkeel.controller.core.LoopConfig;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A configuration that people write")
class ConfigurationTest {
  private static LoopConfig yaml(String... lines) {
    byte[] text = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    return LoopConfigs.parse("loop.yaml", text, Format.YAML);
  }

  private static List<String> faults(String... lines) {
    return assertThrows(InvalidInputException.class, () -> yaml(lines)).faults().stream()
        .map(InvalidInputException.Fault::text)
        .toList();
  }

  @Test
  @DisplayName("takes every option in its unit; what is left out is as usual")
  void read(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("loop.yml");
    Files.writeString(
        file,
        """
        # a comment
        capacity: 200
        startupDeadline: 1h30m
        healingDelay: 500 ms
        periodicHealing: PT1M
        historyBytes: 8 MiB
        verification: downstream
        retry: {first: 2 s, factor: 1, attempts: 0}
        """);

    LoopConfig config = LoopConfigs.read(file);

    assertEquals(200, config.capacity());
    assertEquals(Duration.ofMinutes(90), config.startupDeadline());
    assertEquals(Duration.ofMillis(500), config.healingDelay());
    assertEquals(Optional.of(Duration.ofMinutes(1)), config.periodicHealing());
    assertEquals(8L << 20, config.historyBytes());
    assertEquals(LoopConfig.Verification.DOWNSTREAM, config.verification());
    assertEquals(
        Optional.of(new RetryPolicy(Duration.ofSeconds(2), 1, Duration.ofMinutes(1), 0, 0.1)),
        config.retry());
    assertEquals(LoopConfig.DEFAULT.workers(), config.workers());
    assertEquals(LoopConfig.DEFAULT, yaml("{}"));
    assertEquals(Optional.empty(), yaml("retry: off", "periodicHealing: off").retry());
  }

  @Test
  @DisplayName("is refused as a whole, with every fault at once")
  void everyFault() {
    assertEquals(
        List.of(
            "capacity: must be a whole number (given: many)",
            "healingDelay: needs a unit: 5 s, 30m, 1h30m, 500 ms or PT5S (given: 5000000000)",
            "retry.attempts: must not be negative; 0 is endless (given: -1)",
            "retry.often: is not known (given: true)",
            "startup-deadline: is not known: names have no dashes or underscores, write"
                + " startupDeadline (given: 5 s)",
            "startupResyncDeadline: is not known: what was called so is startupDeadline here (given:"
                + " 30 s)",
            "wrokers: is not known: did you mean workers? (given: 8)",
            "ringSlots: must be a power of two, or 0 (given: 3)"),
        faults(
                "capacity: many",
                "ringSlots: 3",
                "healingDelay: 5000000000",
                "startup-deadline: 5 s",
                "startupResyncDeadline: 30 s",
                "wrokers: 8",
                "retry: {attempts: -1, often: true}")
            .stream()
            .sorted(ConfigurationTest::ringSlotsLast)
            .toList());
  }

  /** The record's own faults come after those of the text. */
  private static int ringSlotsLast(String a, String b) {
    boolean last = a.startsWith("ringSlots");
    return last != b.startsWith("ringSlots") ? (last ? 1 : -1) : a.compareTo(b);
  }

  @Test
  @DisplayName("names the place of what is written twice, and of what is not well formed")
  void places() {
    assertEquals(
        List.of("line 2, column 1: has the name capacity a second time"),
        faults("capacity: 1", "capacity: 2").stream()
            .map(f -> f.replace(" (given: )", ""))
            .toList());
    assertEquals(1, faults("capacity: [1").size());
    assertThrows(InvalidInputException.class, () -> LoopConfigs.read(Path.of("loop.properties")));
  }

  @ParameterizedTest
  @CsvSource({"0 s", "-5 s", "400000000 d", "5", "five seconds", "5 parsecs", "''"})
  @DisplayName("refuses durations that cannot be meant: a pause of nothing would be a busy loop")
  void durations(String text) {
    InvalidInputException wrong =
        assertThrows(
            InvalidInputException.class,
            () -> LoopConfigs.of("map", Map.of("periodicHealing", text)));
    assertEquals("periodicHealing", wrong.faults().get(0).field());
  }

  @Test
  @DisplayName("has an option for every component of the record, and its documentation says so")
  void documented() throws IOException {
    TreeSet<String> components = new TreeSet<>();
    Arrays.stream(LoopConfig.class.getRecordComponents())
        .map(RecordComponent::getName)
        .forEach(components::add);
    TreeSet<String> names = new TreeSet<>();
    StringBuilder table = new StringBuilder();
    for (ConfigOption option : LoopConfigs.options()) {
      names.add(option.name());
      table.append(
          "| `%s` | %s | `%s` | %s | %s |%n"
              .formatted(
                  option.name(),
                  option.form(),
                  option.standard(),
                  option.meaning(),
                  String.join(", ", option.ancestors())));
    }
    assertEquals(components, names);
    String page = Files.readString(Path.of("../../docs/configuration.md"));
    StringBuilder documented = new StringBuilder();
    page.lines()
        .filter(line -> line.startsWith("| `"))
        .forEach(line -> documented.append(line).append('\n'));
    assertEquals(table.toString(), documented.toString());
  }
}
