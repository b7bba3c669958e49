package dev.evenkeel.app.ask;

import dev.evenkeel.app.serve.Shown;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code report}. */
@Command(
    name = "report",
    description = {
      "Writes a zip for a bug report: status, configuration, history, transactions, values, graph,",
      "volumes, locks, statistics, metrics, levels of the log, and what doctor says. What looks",
      "like a secret is masked; look it through before you hand it on."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before it calls anything
public final class ReportCommand extends AskCommand {
  @Option(
      names = "--to",
      required = true,
      paramLabel = "FILE",
      description = "The zip; it must not be there yet.")
  private Path to;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Client client = client();
    Map<String, String> parts = new LinkedHashMap<>();
    parts.put("status.json", client.text("/api/v1/status", Map.of()));
    put(parts, client, "config.json", "/api/v1/config", Map.of());
    put(parts, client, "events.json", "/api/v1/events", Map.of("limit", "1000"));
    put(
        parts,
        client,
        "failed-events.json",
        "/api/v1/events",
        Map.of("limit", "1000", "failed", "true"));
    put(
        parts,
        client,
        "transactions.txt",
        "/api/v1/transactions",
        Map.of("limit", "200", "format", "text"));
    put(parts, client, "transactions.json", "/api/v1/transactions", Map.of("limit", "200"));
    put(parts, client, "values.json", "/api/v1/values", Map.of("limit", "1000"));
    put(parts, client, "graph.dot", "/api/v1/graph", Map.of("format", "dot", "limit", "1000"));
    put(parts, client, "graph.svg", "/api/v1/graph", Map.of("format", "svg", "limit", "1000"));
    put(parts, client, "descriptors.json", "/api/v1/descriptors", Map.of());
    put(parts, client, "volumes.json", "/api/v1/volumes", Map.of("limit", "1000"));
    put(parts, client, "operations.json", "/api/v1/operations", Map.of());
    put(parts, client, "locks.json", "/api/v1/locks", Map.of());
    put(parts, client, "back-off.json", "/api/v1/back-off", Map.of());
    put(parts, client, "statistics.json", "/api/v1/statistics", Map.of());
    put(parts, client, "log-levels.json", "/api/v1/log-levels", Map.of());
    put(parts, client, "metrics.txt", "/metrics", Map.of());
    Path folder = to.toAbsolutePath().getParent();
    parts.put(
        "doctor.json",
        Forms.json(Map.of("findings", new Doctor(folder == null ? to : folder).examine())));
    parts.put("version.txt", "java " + Runtime.version() + "\n" + System.getProperty("os.name"));
    write(parts);
    print("Written: " + to + ", " + parts.size() + " parts.");
    return GOOD;
  }

  /** A part that cannot be had is part of the report, too. */
  private static void put(
      Map<String, String> parts,
      Client client,
      String name,
      String path,
      Map<String, String> query) {
    try {
      parts.put(name, client.text(path, query));
    } catch (NoAnswerException refused) {
      parts.put(name + ".missing", String.valueOf(refused.getMessage()));
    }
  }

  private void write(Map<String, String> parts) throws IOException {
    try (OutputStream file = Files.newOutputStream(to, StandardOpenOption.CREATE_NEW);
        ZipOutputStream zip = new ZipOutputStream(file)) {
      for (Map.Entry<String, String> part : parts.entrySet()) {
        zip.putNextEntry(new ZipEntry("evenkeel-report/" + part.getKey()));
        String text =
            part.getKey().endsWith(".json") ? part.getValue() : Shown.masked(part.getValue());
        zip.write(text.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
      }
    }
  }
}
