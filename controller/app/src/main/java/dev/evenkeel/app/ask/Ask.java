package dev.evenkeel.app.ask;

import dev.evenkeel.app.show.Style;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What all commands take that ask a controller: which one, and how to show what it says. */
public final class Ask {
  private static final String USUAL = "http://127.0.0.1:9640";

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The controller's address; else EVENKEEL_URL, else " + USUAL + ".")
  private Optional<String> url = Optional.empty();

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description = "Its state directory, instead of its address, when it runs on this machine.")
  private Optional<Path> stateDir = Optional.empty();

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "Its first line is the token; else EVENKEEL_TOKEN, else none.")
  private Optional<Path> tokenFile = Optional.empty();

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = "The certificate that its own is signed with, in PEM.")
  private Optional<Path> ca = Optional.empty();

  @Option(
      names = "--output",
      paramLabel = "table|json|yaml",
      description = "For people (the default), or for programs.")
  private Output output = Output.table;

  @Option(
      names = "--color",
      paramLabel = "auto|always|never",
      description = "Colours; auto (the default) has them on a terminal.")
  private Color color = Color.auto;

  /** In lower case, as they are written. */
  private enum Output {
    table,
    json,
    yaml
  }

  /** In lower case, as they are written. */
  private enum Color {
    auto,
    always,
    never
  }

  /** The controller. */
  Client client(CommandSpec spec) {
    return new Client(address(), token(spec), trusted(spec));
  }

  private String address() {
    if (url.isPresent()) {
      return url.get();
    }
    if (stateDir.isPresent()) {
      Path file = stateDir.get().resolve("http");
      try {
        return Files.readString(file).strip();
      } catch (IOException absent) {
        throw new NoAnswerException(
            0,
            "No controller is running on " + stateDir.get() + ": there is no file " + file + ".",
            absent);
      }
    }
    return Optional.ofNullable(System.getenv("EVENKEEL_URL"))
        .filter(text -> !text.isBlank())
        .orElse(USUAL);
  }

  private Optional<String> token(CommandSpec spec) {
    if (tokenFile.isEmpty()) {
      return Optional.ofNullable(System.getenv("EVENKEEL_TOKEN")).filter(text -> !text.isBlank());
    }
    try {
      return Files.readAllLines(tokenFile.get()).stream().findFirst().map(String::strip);
    } catch (IOException unreadable) {
      throw new ParameterException(
          spec.commandLine(), "--token-file " + tokenFile.get() + " cannot be read");
    }
  }

  private Optional<SSLContext> trusted(CommandSpec spec) {
    if (ca.isEmpty()) {
      return Optional.empty();
    }
    try (InputStream in = Files.newInputStream(ca.get())) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(null, null);
      keys.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(keys);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return Optional.of(context);
    } catch (IOException | GeneralSecurityException wrong) {
      throw new ParameterException(
          spec.commandLine(), "--ca " + ca.get() + " is no certificate in PEM that can be read");
    }
  }

  Style style() {
    Ansi ansi =
        switch (color) {
          case auto -> Ansi.AUTO;
          case always -> Ansi.ON;
          case never -> Ansi.OFF;
        };
    return Style.of(Style.outputCharset(), ansi);
  }

  /** Shows a tree: as a program wants it, or as the given table does. */
  void show(CommandSpec spec, Object tree, Shower table) {
    PrintWriter out = spec.commandLine().getOut();
    switch (output) {
      case json -> out.println(Forms.json(tree));
      case yaml -> out.print(Forms.yaml(tree));
      case table -> table.show(new Sheet(out, style()), new Node(tree));
    }
    out.flush();
  }

  /** Whether the answer is for people. */
  boolean forPeople() {
    return output == Output.table;
  }

  /** Shows a tree to people. */
  @FunctionalInterface
  interface Shower {
    void show(Sheet sheet, Node tree);
  }

  /** Without those that are absent. */
  static Map<String, String> query(Map<String, Optional<?>> all) {
    Map<String, String> query = new TreeMap<>();
    all.forEach((name, value) -> value.ifPresent(v -> query.put(name, String.valueOf(v))));
    return query;
  }
}
