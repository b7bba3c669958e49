package dev.evenkeel.app.workload;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes a stream of bytes apart into lines, never holding more than one line of limited length: a
 * line that is too long, or not UTF-8, is reported as such, and the next one is read all the same.
 */
final class RawLines {
  /** Longest line, in bytes. */
  static final int LONGEST = 64 * 1024;

  /**
   * A line.
   *
   * @param number from 1
   * @param text without its end; empty when there is a fault
   * @param fault why the bytes are no text
   */
  record Raw(long number, String text, Optional<String> fault) {}

  private final InputStream in;
  private long number;

  RawLines(InputStream in) {
    this.in = new BufferedInputStream(in);
  }

  /** The next line, or null at the end. */
  @Nullable Raw next() throws IOException {
    int b = in.read();
    if (b < 0) {
      return null;
    }
    number++;
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    long length = 0;
    for (; b >= 0 && b != '\n'; b = in.read()) {
      if (length++ < LONGEST) {
        line.write(b);
      }
    }
    if (length > LONGEST) {
      return bad("is " + length + " bytes long; a line may have " + LONGEST + ", so shorten it");
    }
    return decode(line.toByteArray());
  }

  private Raw decode(byte[] bytes) {
    if (bytes.length >= 3
        && (bytes[0] & 0xff) == 0xef
        && (bytes[1] & 0xff) == 0xbb
        && (bytes[2] & 0xff) == 0xbf) {
      return bad("begins with a byte order mark; save the file as UTF-8 without one");
    }
    ByteBuffer input = ByteBuffer.wrap(bytes);
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    CharBuffer text = CharBuffer.allocate(bytes.length);
    CoderResult result = decoder.decode(input, text, true);
    if (result.isError()) {
      return bad("is not UTF-8 at byte " + (input.position() + 1) + "; save the file as UTF-8");
    }
    return new Raw(number, text.flip().toString(), Optional.empty());
  }

  private Raw bad(String fault) {
    return new Raw(number, "", Optional.of(fault));
  }
}
