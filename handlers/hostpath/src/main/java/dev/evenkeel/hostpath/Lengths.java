package dev.evenkeel.hostpath;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Lets a file grow without writing what it grows by. */
final class Lengths {
  private Lengths() {}

  /** Makes the file that long; it is shorter now, or as long. */
  static void set(FileChannel file, long length) throws IOException {
    if (file.size() < length) {
      int written = file.write(ByteBuffer.allocate(1), length - 1);
      if (written != 1) {
        throw new IOException("could not extend the file to " + length + " bytes");
      }
    }
  }
}
