package dev.evenkeel.app.serve;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who is let in: whoever has the token, if there is one; no page of another site, whichever name it
 * gives to this machine. Immutable; any thread.
 */
final class Doors {
  private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final String BEARER = "Bearer ";

  private final Optional<byte[]> token;
  private final boolean loopback;

  Doors(ServeSettings settings) {
    this.token = settings.token().map(Doors::digest);
    this.loopback = settings.loopback();
  }

  /**
   * Throws a problem unless the request may come in.
   *
   * @param open whether it needs no token
   * @param changes whether it may change something
   */
  void check(
      boolean open,
      boolean changes,
      @Nullable String host,
      @Nullable String origin,
      @Nullable String site,
      @Nullable String authorization) {
    if (loopback && (host == null || !LOCAL.contains(name(host)))) {
      throw Problem.of(403, "ask for localhost or 127.0.0.1: that is where this listens");
    }
    if (site != null && Set.of("cross-site", "same-site").contains(site) && changes) {
      throw Problem.of(403, "a page of another site may not change anything here");
    }
    if (origin != null && !isSame(origin, host)) {
      throw Problem.of(403, "a page of another site may not ask here");
    }
    if (!open && token.isPresent()) {
      byte[] given =
          authorization != null && authorization.startsWith(BEARER)
              ? digest(authorization.substring(BEARER.length()).strip())
              : new byte[0];
      if (!MessageDigest.isEqual(token.get(), given)) {
        throw Problem.of(401, "the token is missing or wrong: Authorization: Bearer ...");
      }
    }
  }

  private static String name(String host) {
    String text = host.toLowerCase(Locale.ROOT);
    int colon = text.lastIndexOf(':');
    return colon > text.lastIndexOf(']') ? text.substring(0, colon) : text;
  }

  private static boolean isSame(String origin, @Nullable String host) {
    int slashes = origin.indexOf("://");
    return slashes > 0 && origin.substring(slashes + 3).equalsIgnoreCase(host);
  }

  /** Compared as digests, so that not even the length shows in the time. */
  private static byte[] digest(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }
}
