package dev.evenkeel.controller.recording;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** One file, written on the loop's own thread: for tests. */
final class FileLines implements Lines {
  private final OutputStream out;

  private FileLines(OutputStream out) {
    this.out = out;
  }

  static FileLines to(Path file) {
    try {
      return new FileLines(
          new BufferedOutputStream(
              Files.newOutputStream(
                  file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)));
    } catch (FileAlreadyExistsException there) {
      throw new EvenkeelException(
          ErrorKind.ALREADY_EXISTS, "recording " + file + " exists already", there);
    } catch (IOException failed) {
      throw cannotWrite(failed);
    }
  }

  static EvenkeelException cannotWrite(Throwable failed) {
    return new EvenkeelException(
        ErrorKind.UNAVAILABLE, "the recording cannot be written: " + failed.getMessage(), failed);
  }

  @Override
  public void line(byte[] line) {
    try {
      out.write(line);
    } catch (IOException failed) {
      throw cannotWrite(failed);
    }
  }

  @Override
  public void input() {
    try {
      out.flush();
    } catch (IOException failed) {
      throw cannotWrite(failed);
    }
  }

  @Override
  public void effect() {
    // Its input has been flushed.
  }

  @Override
  public void segment(byte[] header) {
    line(header);
  }

  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException failed) {
      throw cannotWrite(failed);
    }
  }
}
