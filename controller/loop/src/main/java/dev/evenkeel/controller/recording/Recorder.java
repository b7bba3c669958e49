package dev.evenkeel.controller.recording;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.controller.core.LoopDecision;
import dev.evenkeel.controller.core.LoopInput;
import dev.evenkeel.controller.core.LoopObserver;
import dev.evenkeel.controller.core.LoopParts;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.SortedMap;

/**
 * Writes a loop's inputs before they are processed, and its decisions after they were made, as
 * lines of JSON (JT-10). Given to a loop when it is built; called on its thread alone, but for
 * {@link #close}. An input that cannot be written stops the loop: it must have no effect.
 *
 * <p>Secrets are never in it: events are written without them, and steps that read them return
 * values that hold none. One file for one life of a loop; it is not read by recovery.
 */
public final class Recorder implements LoopObserver, AutoCloseable {
  private final RecordingCodec codec;
  private final Catalog catalog;
  private final Inputs inputs;
  private final Decisions decisions;
  private final BufferedWriter out;

  private Recorder(RecordingCodec codec, BufferedWriter out) {
    this.codec = codec;
    this.out = out;
    catalog = new Catalog(codec);
    inputs = new Inputs(codec, catalog);
    decisions = new Decisions(codec);
  }

  /**
   * Begins a recording in a new file.
   *
   * @throws EvenkeelException {@code ALREADY_EXISTS} when the file is there, {@code UNAVAILABLE}
   *     when it cannot be written
   */
  public static Recorder to(Path file, RecordingCodec codec) {
    try {
      return new Recorder(codec, Files.newBufferedWriter(file, StandardOpenOption.CREATE_NEW));
    } catch (FileAlreadyExistsException there) {
      throw new EvenkeelException(
          ErrorKind.ALREADY_EXISTS, "recording " + file + " exists already", there);
    } catch (IOException failed) {
      throw cannotWrite(failed);
    }
  }

  /** The first line; before the first input. */
  @Override
  public void onBuilt(LoopParts parts) {
    line(Header.of(parts).tree(codec.values));
  }

  @Override
  public void onInput(long turn, Instant now, LoopInput input) {
    SortedMap<String, Object> line = Trees.of("turn", turn);
    line.put("at", now.toString());
    line.put("in", inputs.tree(input));
    line(line);
    flush();
  }

  @Override
  public void onDecision(long turn, LoopDecision decision) {
    catalog.learn(decision);
    SortedMap<String, Object> line = Trees.of("turn", turn);
    line.put("out", decisions.tree(decision));
    line(line);
  }

  private void line(Object tree) {
    try {
      out.write(Values.JSON.write(tree));
      out.write('\n');
    } catch (IOException failed) {
      throw cannotWrite(failed);
    }
  }

  private void flush() {
    try {
      out.flush();
    } catch (IOException failed) {
      throw cannotWrite(failed);
    }
  }

  private static EvenkeelException cannotWrite(IOException failed) {
    return new EvenkeelException(
        ErrorKind.UNAVAILABLE, "the recording cannot be written: " + failed.getMessage(), failed);
  }

  /** Ends the recording; after the loop has ended. Idempotent. */
  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException failed) {
      throw cannotWrite(failed);
    }
  }
}
