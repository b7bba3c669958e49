package dev.evenkeel.app.serve;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.Secret;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a controller listens, and whom it answers. Immutable; made by the configuration. An address
 * that others can reach needs both a token and TLS; it is refused without.
 *
 * @param host name or address to listen on
 * @param port 0 takes a free one
 * @param token that callers must bring, if any; prints nothing
 * @param keystore of the certificate, in PKCS 12, if it speaks TLS
 * @param keystorePassword of that file
 * @param streams most clients of the stream of events at a time
 */
public record ServeSettings(
    String host,
    int port,
    Optional<String> token,
    Optional<Path> keystore,
    Optional<String> keystorePassword,
    int streams) {
  /** Where it listens when nothing is said. */
  public static final String USUAL_HOST = "127.0.0.1";

  /** The port when nothing is said. */
  public static final int USUAL_PORT = 9640;

  private static final int SHORTEST_TOKEN = 16;

  /** Refuses what is unsafe or cannot be meant, all at once. */
  public ServeSettings {
    List<InvalidInputException.Fault> faults = new ArrayList<>();
    if (port < 0 || port > 65_535) {
      faults.add(fault("port", Integer.toString(port), "must be from 0 to 65535"));
    }
    if (streams < 1 || streams > 1_000) {
      faults.add(fault("streams", Integer.toString(streams), "must be from 1 to 1000"));
    }
    if (token.filter(text -> text.length() < SHORTEST_TOKEN).isPresent()) {
      faults.add(fault("token", Secret.MASK, "must have at least 16 characters"));
    }
    if (keystore.isPresent() && keystorePassword.isEmpty()) {
      faults.add(fault("keystorePassword", "", "is needed with a keystore"));
    }
    try {
      boolean loopback = InetAddress.getByName(host).isLoopbackAddress();
      if (!loopback && (token.isEmpty() || keystore.isEmpty())) {
        faults.add(
            fault(
                "host",
                host,
                "can be reached by others: that needs a token and TLS (a keystore); without them"
                    + " use 127.0.0.1"));
      }
    } catch (UnknownHostException unknown) {
      faults.add(fault("host", host, "is not known here"));
    }
    if (!faults.isEmpty()) {
      throw new InvalidInputException("http", faults);
    }
  }

  private static InvalidInputException.Fault fault(String field, String given, String reason) {
    return new InvalidInputException.Fault(field, given, reason);
  }

  /** On loopback, without a token. */
  public static ServeSettings local(int port) {
    return new ServeSettings(
        USUAL_HOST, port, Optional.empty(), Optional.empty(), Optional.empty(), 250);
  }

  boolean loopback() {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException unknown) {
      return false;
    }
  }

  /** Without the secrets. */
  @Override
  public String toString() {
    return (keystore.isPresent() ? "https://" : "http://") + host + ":" + port;
  }
}
