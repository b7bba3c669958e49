package dev.evenkeel.api;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Building and taking apart the paths of keys. Pure; any thread. */
public final class KeyPaths {
  private KeyPaths() {}

  /**
   * Prefix and escaped names, joined by slashes.
   *
   * @throws InvalidInputException when a name is empty: the key is incomplete (datastore reference,
   *     1.7)
   */
  public static String join(String prefix, String... names) {
    StringBuilder out = new StringBuilder(prefix);
    for (int i = 0; i < names.length; i++) {
      if (names[i].isEmpty()) {
        throw InvalidInputException.of(
            "key under " + prefix, "name " + (i + 1), "", "must not be empty");
      }
      out.append(i == 0 ? "" : "/").append(escape(names[i]));
    }
    return out.toString();
  }

  /**
   * Percent-escapes everything but letters, digits, dot, dash, underscore and colon; "." and ".."
   * are escaped too.
   */
  public static String escape(String name) {
    if (name.equals(".") || name.equals("..")) {
      return name.replace(".", "%2E");
    }
    StringBuilder out = new StringBuilder(name.length());
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      if (c < 128 && (Character.isLetterOrDigit(c) || ".-_:".indexOf(c) >= 0)) {
        out.append(c);
      } else {
        out.append('%').append(hex(c >> 4)).append(hex(c & 15));
      }
    }
    return out.toString();
  }

  /** The inverse of {@link #escape}; empty when the text is not something that it made. */
  public static Optional<String> unescape(String segment) {
    byte[] out = new byte[segment.length()];
    int n = 0;
    for (int i = 0; i < segment.length(); i++) {
      char c = segment.charAt(i);
      if (c != '%') {
        out[n++] = (byte) c;
        continue;
      }
      int high = i + 2 < segment.length() ? Character.digit(segment.charAt(i + 1), 16) : -1;
      int low = i + 2 < segment.length() ? Character.digit(segment.charAt(i + 2), 16) : -1;
      if (high < 0 || low < 0) {
        return Optional.empty();
      }
      out[n++] = (byte) (high << 4 | low);
      i += 2;
    }
    String name = new String(out, 0, n, StandardCharsets.UTF_8);
    return escape(name).equals(segment) ? Optional.of(name) : Optional.empty();
  }

  /**
   * The one name below a prefix, unescaped; empty when there is none, more than one, or a badly
   * escaped one.
   */
  public static Optional<String> singleName(String prefix, String path) {
    if (!path.startsWith(prefix) || path.length() == prefix.length()) {
      return Optional.empty();
    }
    String rest = path.substring(prefix.length());
    return rest.indexOf('/') >= 0 ? Optional.empty() : unescape(rest);
  }

  private static char hex(int digit) {
    return "0123456789ABCDEF".charAt(digit);
  }
}
