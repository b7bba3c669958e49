package dev.evenkeel.app.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.app.Cli;
import dev.evenkeel.app.config.AppOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Dashboard, alert rules and documentation, against what a running controller says. */
class ObservabilityTest {
  private static final Path DOCS = Cli.ROOT.resolve("docs/observability");
  private static final Pattern METRIC = Pattern.compile("evenkeel_[a-z_]+");
  private static final Pattern SERIES = Pattern.compile("(evenkeel_[a-z_]+)(?:\\{([^}]*)})? .*");
  private static final Pattern LABEL = Pattern.compile("([a-z]+)(=~?|!=)\"([^\"]*)\"");
  private static final Pattern BY = Pattern.compile("(?:by|on) \\(([^)]*)\\)");
  private static final Pattern LEGEND = Pattern.compile("\\{\\{ *([a-z]+) *}}");

  @TempDir private Path folder;

  /** Label values of every exported metric, by its name. */
  private Map<String, Map<String, Set<String>>> exported() {
    Map<String, Map<String, Set<String>>> all = new TreeMap<>();
    try (Running running = Running.in(folder)) {
      running.push("{\"event\":\"create-volume\",\"name\":\"a\",\"size\":1}");
      running.demo("nic?name=eth0");
      for (String line : running.get("/metrics").text().split("\n", -1)) {
        Matcher series = SERIES.matcher(line);
        if (series.matches()) {
          Map<String, Set<String>> labels =
              all.computeIfAbsent(series.group(1), name -> new TreeMap<>());
          Matcher label = LABEL.matcher(series.group(2) == null ? "" : series.group(2));
          while (label.find()) {
            labels.computeIfAbsent(label.group(1), name -> new TreeSet<>()).add(label.group(3));
          }
        }
      }
    }
    assertTrue(all.size() > 30, all::toString);
    return all;
  }

  /** Everything in an expression that no exported metric bears. */
  private static List<String> unknown(
      String expression, Map<String, Map<String, Set<String>>> exported) {
    List<String> unknown = new ArrayList<>();
    Set<String> labels = new TreeSet<>(Set.of("instance"));
    Matcher metric = METRIC.matcher(expression);
    while (metric.find()) {
      Map<String, Set<String>> known = exported.get(metric.group());
      if (known == null) {
        unknown.add("metric " + metric.group());
        continue;
      }
      labels.addAll(known.keySet());
      String rest = expression.substring(metric.end());
      if (rest.startsWith("{")) {
        Matcher label = LABEL.matcher(rest.substring(0, rest.indexOf('}')));
        while (label.find()) {
          Set<String> values = known.getOrDefault(label.group(1), Set.of());
          if (values.isEmpty()
              || (label.group(2).equals("=") && !values.contains(label.group(3)))) {
            unknown.add(metric.group() + " " + label.group());
          }
        }
      }
    }
    Matcher by = BY.matcher(expression);
    while (by.find()) {
      for (String label : by.group(1).split(", *", -1)) {
        if (!labels.contains(label)) {
          unknown.add("label " + label + " in " + expression);
        }
      }
    }
    return unknown;
  }

  @Test
  @DisplayName("every metric and label of the dashboard and of the alert rules is exported")
  void names() throws IOException {
    Map<String, Map<String, Set<String>>> exported = exported();
    List<String> unknown = new ArrayList<>();
    JsonNode dashboard = Running.JSON.readTree(DOCS.resolve("evenkeel-dashboard.json").toFile());
    int panels = 0;
    for (JsonNode panel : dashboard.get("panels")) {
      panels++;
      for (JsonNode target : panel.get("targets")) {
        String expression = target.get("expr").asString();
        unknown.addAll(unknown(expression, exported));
        Matcher legend = LEGEND.matcher(target.get("legendFormat").asString());
        while (legend.find()) {
          unknown.addAll(unknown("by (" + legend.group(1) + ") " + expression, exported));
        }
      }
    }
    JsonNode rules =
        YAMLMapper.builder()
            .build()
            .readTree(DOCS.resolve("evenkeel-alerts.yaml").toFile())
            .at("/groups/0/rules");
    for (JsonNode rule : rules) {
      unknown.addAll(unknown(rule.get("expr").asString(), exported));
      assertTrue(rule.at("/annotations/description").asString().length() > 10, rule::toString);
    }
    assertEquals(List.of(), unknown);
    assertTrue(panels >= 20 && rules.size() >= 8, panels + " panels, " + rules.size() + " rules");
  }

  @Test
  @DisplayName("the check of names finds what is not exported")
  void checkFinds() {
    Map<String, Map<String, Set<String>>> exported =
        Map.of("evenkeel_a", Map.of("state", Set.of("running")));
    assertEquals(List.of(), unknown("sum by (state) (evenkeel_a{state=\"running\"})", exported));
    assertEquals(3, unknown("sum by (x) (evenkeel_b + evenkeel_a{state=\"y\"})", exported).size());
  }

  @Test
  @DisplayName("the documentation has every option of the program, its default and its variable")
  void options() throws IOException {
    String page = Files.readString(Cli.ROOT.resolve("docs/configuration.md"));
    for (AppOption option : AppOption.ALL) {
      String row =
          "| %s | %s | `%s` | %s | `%s` |\n"
              .formatted(
                  option.name(),
                  option.form(),
                  option.standard(),
                  option.meaning(),
                  AppOption.variable(option.name()));
      assertTrue(page.contains(row), () -> "docs/configuration.md lacks\n" + row);
    }
  }

  @Test
  @DisplayName("the documentation names every command")
  void commands() throws IOException {
    String page = Files.readString(Cli.ROOT.resolve("docs/operating.md"));
    for (String command :
        List.of(
            "status",
            "history",
            "explain",
            "txn",
            "values",
            "graph",
            "volumes",
            "locks",
            "resync",
            "log",
            "push",
            "report",
            "doctor",
            "config check",
            "config show",
            "completion")) {
      assertTrue(page.contains("`" + command), command);
    }
  }
}
