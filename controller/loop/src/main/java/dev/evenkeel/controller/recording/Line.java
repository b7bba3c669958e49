package dev.evenkeel.controller.recording;

import dev.evenkeel.api.InvalidInputException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.zip.CRC32C;

/** One line of a recording: {@code {"c":"<CRC-32C of what follows>","l":{…}}}. */
final class Line {
  private static final byte[] HEAD = "{\"c\":\"".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] MIDDLE = "\",\"l\":".getBytes(StandardCharsets.US_ASCII);
  private static final int DIGITS = 8;
  private static final int FRONT = HEAD.length + DIGITS + MIDDLE.length;

  private Line() {}

  /** A line with its end. */
  static byte[] of(Object tree) {
    byte[] json = Values.JSON.bytes(tree);
    byte[] line = new byte[FRONT + json.length + 2];
    System.arraycopy(HEAD, 0, line, 0, HEAD.length);
    byte[] digits = digits(json, 0, json.length).getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(digits, 0, line, HEAD.length, DIGITS);
    System.arraycopy(MIDDLE, 0, line, HEAD.length + DIGITS, MIDDLE.length);
    System.arraycopy(json, 0, line, FRONT, json.length);
    line[line.length - 2] = '}';
    line[line.length - 1] = '\n';
    return line;
  }

  private static String digits(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return HexFormat.of().toHexDigits((int) crc.getValue());
  }

  /** Whether it has a check sum at all; lines of the first version have none. */
  static boolean isChecked(byte[] line) {
    return startsWith(line, HEAD, 0);
  }

  private static boolean startsWith(byte[] line, byte[] what, int at) {
    if (line.length < at + what.length) {
      return false;
    }
    for (int i = 0; i < what.length; i++) {
      if (line[at + i] != what[i]) {
        return false;
      }
    }
    return true;
  }

  /**
   * What a line without its end holds.
   *
   * @throws InvalidInputException when it is damaged
   */
  static SortedMap<String, Object> parse(byte[] line) {
    if (!isChecked(line)) {
      return Trees.object(Values.JSON.parse(line));
    }
    int length = line.length - FRONT - 1;
    if (length < 2
        || !startsWith(line, MIDDLE, HEAD.length + DIGITS)
        || !digits(line, FRONT, length)
            .equals(new String(line, HEAD.length, DIGITS, StandardCharsets.US_ASCII))) {
      throw InvalidInputException.of("recording", "line", "", "does not fit its check sum");
    }
    return Trees.object(Values.JSON.parse(new String(line, FRONT, length, StandardCharsets.UTF_8)));
  }
}
