package dev.evenkeel.app.serve;

import java.util.Map;

/**
 * One request, taken apart.
 *
 * @param path parts of the path that the route names
 * @param params of the query, and of a body that is an object of them
 * @param body as it came, when the route takes it raw
 */
@SuppressWarnings("ArrayRecordComponent") // passed on, never compared
public record Call(Map<String, String> path, Params params, byte[] body) {
  /** A part of the path. */
  public String part(String name) {
    String part = path.get(name);
    if (part == null) {
      throw new IllegalStateException("the route has no " + name);
    }
    return part;
  }

  /** A part of the path that is a number. */
  public long number(String name) {
    String part = part(name);
    if (!part.matches("\\d{1,18}")) {
      throw Problem.invalid(name, part, "must be a whole number, not negative");
    }
    return Long.parseLong(part);
  }
}
