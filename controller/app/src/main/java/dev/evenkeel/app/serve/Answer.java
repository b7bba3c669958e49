package dev.evenkeel.app.serve;

import java.nio.charset.StandardCharsets;

/**
 * What a request is answered with. Immutable; the bytes are not copied.
 *
 * @param status of HTTP
 * @param type of the content
 * @param body all of it
 */
@SuppressWarnings("ArrayRecordComponent") // passed on, never compared
public record Answer(int status, String type, byte[] body) {
  private static final String JSON = "application/json";

  /** A tree. */
  public static Answer json(Object tree) {
    return new Answer(200, JSON, JsonText.of(tree));
  }

  /** Something that was begun and goes on. */
  public static Answer accepted(Object tree) {
    return new Answer(202, JSON, JsonText.of(tree));
  }

  static Answer text(String type, CharSequence text) {
    return new Answer(
        200, type + "; charset=utf-8", text.toString().getBytes(StandardCharsets.UTF_8));
  }

  static Answer problem(int status, byte[] body) {
    return new Answer(status, "application/problem+json", body);
  }

  Answer withStatus(int other) {
    return new Answer(other, type, body);
  }
}
