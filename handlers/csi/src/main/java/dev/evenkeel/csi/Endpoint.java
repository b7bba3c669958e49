package dev.evenkeel.csi;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.InvalidInputException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a driver is reached: a unix socket, or a port of this machine. Immutable.
 *
 * @param socket path of the unix socket
 * @param address of the port; port 0 takes a free one
 */
@Experimental
public record Endpoint(Optional<Path> socket, Optional<InetSocketAddress> address) {
  private static final int LONGEST = 100;

  /** It is bound in a directory beside its place first, whose path may be longer than its own. */
  private static final int LONGEST_FOLDER = 95;

  /**
   * Of {@code unix:///path}, {@code unix:path} or {@code tcp://127.0.0.1:10000}.
   *
   * @throws InvalidInputException when it is another, too long for a socket, or not this machine
   */
  public static Endpoint parse(String text) {
    if (text.startsWith("unix:") && text.length() > 5) {
      Path path = Path.of(text.substring(5).replaceFirst("^//+", "/")).toAbsolutePath().normalize();
      if (bytes(path) > LONGEST || bytes(path.getParent()) > LONGEST_FOLDER) {
        throw wrong(
            text,
            "is too long: a socket's path has at most "
                + LONGEST
                + " bytes, its directory's "
                + LONGEST_FOLDER);
      }
      return new Endpoint(Optional.of(path), Optional.empty());
    }
    if (text.matches("tcp://[^/]+:[0-9]{1,5}")) {
      int colon = text.lastIndexOf(':');
      int port = Integer.parseInt(text.substring(colon + 1));
      return new Endpoint(
          Optional.empty(), Optional.of(loopback(text, text.substring(6, colon), port)));
    }
    throw wrong(text, "must be unix:///path/of/socket or tcp://127.0.0.1:PORT");
  }

  private static int bytes(@Nullable Path path) {
    return path == null ? 0 : path.toString().getBytes(StandardCharsets.UTF_8).length;
  }

  private static InetSocketAddress loopback(String text, String host, int port) {
    try {
      InetAddress address = InetAddress.getByName(host);
      if (!address.isLoopbackAddress() || port > 65_535) {
        throw wrong(text, "must be a loopback address, for there is no authentication");
      }
      return new InetSocketAddress(address, port);
    } catch (UnknownHostException unknown) {
      throw wrong(text, "names a host that is not known");
    }
  }

  private static InvalidInputException wrong(String given, String reason) {
    return InvalidInputException.of("csi", "endpoint", given, reason);
  }
}
