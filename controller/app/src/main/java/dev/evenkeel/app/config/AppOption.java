package dev.evenkeel.app.config;

import java.util.List;
import java.util.Locale;

/**
 * One option of the program, beside those of its loop. Immutable.
 *
 * @param name its key
 * @param form how its value is written
 * @param standard what holds when it is not given, as it would be written
 * @param meaning what it does
 */
public record AppOption(String name, String form, String standard, String meaning) {
  static final String NONE = "none";

  /** All of them, in the order of the documentation. */
  public static final List<AppOption> ALL =
      List.of(
          new AppOption(
              "http", "address:port, a port, or off", "127.0.0.1:9640", "where it listens"),
          new AppOption(
              "httpTokenFile",
              "path",
              NONE,
              "a file whose first line is the token that callers must bring"),
          new AppOption(
              "httpKeystore", "path", NONE, "certificate and key in PKCS 12: it speaks TLS then"),
          new AppOption(
              "httpKeystorePasswordFile",
              "path",
              NONE,
              "a file whose first line opens the keystore"),
          new AppOption("httpStreams", "count", "250", "most clients of the stream of events"),
          new AppOption(
              "transactionRecords", "count", "10000", "most records of transactions kept; 0 none"),
          new AppOption(
              "transactionBytes", "size", "64 MiB", "about how much memory they may take"),
          new AppOption(
              "otlpEndpoint",
              "address",
              NONE,
              "a collector of OpenTelemetry traces, such as http://127.0.0.1:4318/v1/traces"),
          new AppOption(
              "logLevel", "off, error, warn, info, debug or trace", "warn", "of the whole log"));

  /** Its name in the environment: {@code EVENKEEL_HTTP_TOKEN_FILE}. */
  public static String variable(String option) {
    return "EVENKEEL_" + option.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
  }
}
