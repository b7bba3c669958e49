package dev.evenkeel.controller.recording;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Lines of a file as bytes, none longer than a recording has. */
final class LineReader implements AutoCloseable {
  private static final int MOST = (1 << 26) + 64;

  private final InputStream in;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream(1024);
  private long number;
  private int ahead;

  LineReader(InputStream in) throws IOException {
    this.in = new BufferedInputStream(in, 1 << 16);
    this.ahead = this.in.read();
  }

  /** The next line without its end; null at the end. */
  byte @Nullable [] next() throws IOException {
    if (ahead < 0) {
      return null;
    }
    number++;
    line.reset();
    while (ahead >= 0 && ahead != '\n') {
      if (line.size() == MOST) {
        throw new IOException("line " + number + " has more than " + MOST + " bytes");
      }
      line.write(ahead);
      ahead = in.read();
    }
    ahead = ahead < 0 ? ahead : in.read();
    return line.toByteArray();
  }

  /** Number of the line that was given last, from 1. */
  long number() {
    return number;
  }

  /** Whether nothing follows it. */
  boolean isLast() {
    return ahead < 0;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
