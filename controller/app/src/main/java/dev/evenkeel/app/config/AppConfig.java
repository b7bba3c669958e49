package dev.evenkeel.app.config;

import dev.evenkeel.app.serve.ServeSettings;
import dev.evenkeel.controller.core.LoopConfig;
import dev.evenkeel.txn.history.HistoryOptions;
import java.util.Map;
import java.util.Optional;

/**
 * What holds for a run. Immutable; made by {@link ConfigReader}.
 *
 * @param loop numbers of the loop
 * @param http where it listens; absent when it does not
 * @param history what is kept of transactions
 * @param otlpEndpoint where traces go, if anywhere
 * @param logLevel of the log, as it is written
 * @param shown every option with its value and where that comes from, without secrets
 */
public record AppConfig(
    LoopConfig loop,
    Optional<ServeSettings> http,
    HistoryOptions history,
    Optional<String> otlpEndpoint,
    String logLevel,
    Map<String, Shown> shown) {

  /**
   * An option in force.
   *
   * @param value as it would be written
   * @param source default, the file with the line, the variable, or the flag
   */
  public record Shown(String value, String source) {}
}
