package dev.evenkeel.controller.recording;

import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Experimental;
import dev.evenkeel.controller.core.LoopDecision;
import dev.evenkeel.controller.core.LoopInput;
import dev.evenkeel.controller.core.LoopObserver;
import dev.evenkeel.controller.core.LoopParts;
import java.nio.file.Path;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a loop's inputs before they are processed, and its decisions after they were made, as
 * lines of JSON (JT-10). Given to a loop when it is built; called on its thread alone, but for
 * {@link #close}. An input that cannot be written stops the loop: it must have no effect.
 *
 * <p>Secrets are never in it: events are written without them, and steps that read them return
 * values that hold none. One recording for one life of a loop; it is not read by recovery.
 */
public final class Recorder implements LoopObserver, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);

  private final RecordingCodec codec;
  private final Catalog catalog;
  private final Inputs inputs;
  private final Decisions decisions;
  private final RecorderOptions options;
  private final Lines lines;
  private SortedMap<String, Object> header = new TreeMap<>();
  private Supplier<SortedMap<String, SortedMap<String, Object>>> states = TreeMap::new;

  private long segment;
  private long segmentBytes;
  private long segmentTurns;
  private @Nullable Instant segmentBegan;
  private long bytes;
  private boolean full;
  private boolean closed;

  private Recorder(RecordingCodec codec, RecorderOptions options, Lines lines) {
    this.codec = codec;
    this.options = options;
    this.lines = lines;
    catalog = new Catalog(codec);
    inputs = new Inputs(codec, catalog);
    decisions = new Decisions(codec);
  }

  /**
   * Begins a recording in one new file, written on the loop's thread: for tests.
   *
   * @throws EvenkeelException {@code ALREADY_EXISTS} when the file is there, {@code UNAVAILABLE}
   *     when it cannot be written
   */
  public static Recorder to(Path file, RecordingCodec codec) {
    RecorderOptions whole =
        RecorderOptions.usual()
            .segments(Long.MAX_VALUE, Long.MAX_VALUE, java.time.Duration.ofDays(36_500));
    return new Recorder(codec, whole, FileLines.to(file));
  }

  /**
   * Begins a recording in a folder, as segments, written by a thread of its own.
   *
   * @throws EvenkeelException {@code ALREADY_EXISTS} when the folder holds one, {@code UNAVAILABLE}
   *     when it cannot be written
   */
  @Experimental
  public static Recorder in(Path folder, RecordingCodec codec, RecorderOptions options) {
    return new Recorder(codec, options, new SegmentLines(folder, options));
  }

  /** The first line; before the first input. */
  @Override
  public void onBuilt(LoopParts parts) {
    header = Header.of(parts).tree(codec.values);
  }

  @Override
  public void onStates(Supplier<SortedMap<String, SortedMap<String, Object>>> snapshot) {
    states = snapshot;
  }

  @Override
  public void onInput(long turn, Instant now, LoopInput input) {
    if (full) {
      return;
    }
    if (segment == 0 || isOver(now)) {
      begin(turn, now);
    }
    segmentTurns++;
    SortedMap<String, Object> line = Trees.of("turn", turn);
    line.put("at", now.toString());
    line.put("in", inputs.tree(input));
    line(line);
    lines.input();
    if (input instanceof LoopInput.Refused) {
      lines.effect();
    }
  }

  private boolean isOver(Instant now) {
    Instant began = segmentBegan;
    return segmentBytes >= options.segmentBytes()
        || segmentTurns >= options.segmentTurns()
        || (began != null && !now.isBefore(began.plus(options.segmentAge())));
  }

  /** Each segment begins with what the loop is, and the state that its handlers hold. */
  private void begin(long turn, Instant now) {
    segment++;
    segmentBytes = 0;
    segmentTurns = 0;
    segmentBegan = now;
    SortedMap<String, Object> first = new TreeMap<>(header);
    first.put("segment", segment);
    first.put("turn", turn);
    first.put("states", statesTree(codec, states.get()));
    byte[] line = Line.of(first);
    count(line);
    lines.segment(line);
  }

  static SortedMap<String, Object> statesTree(
      RecordingCodec codec, SortedMap<String, SortedMap<String, Object>> states) {
    SortedMap<String, Object> tree = new TreeMap<>();
    states.forEach(
        (name, map) -> {
          SortedMap<String, Object> values = new TreeMap<>();
          map.forEach((key, value) -> values.put(key, codec.values.shown(value)));
          tree.put(name, values);
        });
    return tree;
  }

  @Override
  public void onDecision(long turn, LoopDecision decision) {
    catalog.learn(decision);
    if (full) {
      return;
    }
    SortedMap<String, Object> line = Trees.of("turn", turn);
    line.put("out", decisions.tree(decision));
    line(line);
    if (hasEffect(decision)) {
      lines.effect();
    }
  }

  private static boolean hasEffect(LoopDecision decision) {
    return decision instanceof LoopDecision.Dispatched
        || decision instanceof LoopDecision.Scripted
        || decision instanceof LoopDecision.Answered;
  }

  private void line(Object tree) {
    byte[] line = Line.of(tree);
    count(line);
    if (bytes > options.mostBytes()) {
      full = true;
      LOG.warn("The recording has reached {} bytes, and ends here", options.mostBytes());
      lines.line(Line.of(Trees.of("full", bytes)));
      return;
    }
    lines.line(line);
  }

  private void count(byte[] line) {
    bytes += line.length;
    segmentBytes += line.length;
  }

  /** Ends the recording; after the loop has ended. Idempotent. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      if (segment > 0 && !full) {
        lines.line(Line.of(Trees.of("end", true)));
      }
    } finally {
      lines.close();
    }
  }
}
