package dev.evenkeel.controller.recording;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a recording: {@code segment-000001.jsonl}, and {@code .jsonl.gz} once it is closed
 * and another one has begun. One thread writes.
 */
final class SegmentFiles {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentFiles.class);
  private static final String PLAIN = ".jsonl";
  private static final String PACKED = ".jsonl.gz";
  private static final int BUFFER = 1 << 16;
  private static final long PACK_SECONDS = 600;

  private final Path folder;
  private final boolean durable;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
  private final ExecutorService packer =
      Executors.newSingleThreadExecutor(
          work -> {
            Thread thread = new Thread(work, "recording-packer");
            thread.setDaemon(true);
            return thread;
          });
  private @Nullable FileChannel open;
  private @Nullable Path current;
  private int number;

  private SegmentFiles(Path folder, boolean durable) {
    this.folder = folder;
    this.durable = durable;
  }

  /** A folder that holds no recording yet; made when absent. */
  static SegmentFiles in(Path folder, boolean durable) {
    try {
      Files.createDirectories(folder);
      if (!of(folder).isEmpty()) {
        throw new EvenkeelException(
            ErrorKind.ALREADY_EXISTS, folder + " holds a recording already");
      }
      return new SegmentFiles(folder, durable);
    } catch (IOException failed) {
      throw FileLines.cannotWrite(failed);
    }
  }

  /** The segments of a folder, in their order. */
  static List<Path> of(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> all = files.filter(SegmentFiles::isSegment).sorted().toList();
      // A crash may have come between packing a segment and removing it.
      return all.stream()
          .filter(file -> !all.contains(file.resolveSibling(file.getFileName() + ".gz")))
          .toList();
    }
  }

  private static boolean isSegment(Path file) {
    String name = file.getFileName().toString();
    return name.startsWith("segment-") && (name.endsWith(PLAIN) || name.endsWith(PACKED));
  }

  /** Reads a file, unpacked. */
  static InputStream read(Path file) throws IOException {
    InputStream in = Files.newInputStream(file);
    return file.toString().endsWith(".gz") ? new GZIPInputStream(in, BUFFER) : in;
  }

  void begin() throws IOException {
    Path before = end();
    number++;
    Path file = folder.resolve(String.format(Locale.ROOT, "segment-%06d%s", number, PLAIN));
    open = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    current = file;
    if (durable) {
      forceFolder();
    }
    if (before != null) {
      packer.execute(() -> pack(before));
    }
  }

  private void forceFolder() throws IOException {
    try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
      directory.force(true);
    }
  }

  private @Nullable Path end() throws IOException {
    FileChannel channel = open;
    if (channel != null) {
      flush(durable);
      channel.close();
      open = null;
    }
    return current;
  }

  void write(byte[] bytes) throws IOException {
    int from = 0;
    while (from < bytes.length) {
      if (!buffer.hasRemaining()) {
        empty();
      }
      int part = Math.min(buffer.remaining(), bytes.length - from);
      buffer.put(bytes, from, part);
      from += part;
    }
  }

  private void empty() throws IOException {
    FileChannel channel = open;
    buffer.flip();
    while (channel != null && buffer.hasRemaining()) {
      int unused = channel.write(buffer);
    }
    buffer.clear();
  }

  void flush(boolean force) throws IOException {
    empty();
    FileChannel channel = open;
    if (force && channel != null) {
      channel.force(false);
    }
  }

  /** Packs a closed segment; when that fails it stays as it is, which is no harm. */
  private void pack(Path file) {
    Path packed = file.resolveSibling(file.getFileName() + ".gz");
    Path unfinished = file.resolveSibling(file.getFileName() + ".gz.new");
    try {
      try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(unfinished), BUFFER)) {
        long unused = Files.copy(file, out);
      }
      if (durable) {
        try (FileChannel whole = FileChannel.open(unfinished, StandardOpenOption.WRITE)) {
          whole.force(true);
        }
      }
      Files.move(unfinished, packed, StandardCopyOption.ATOMIC_MOVE);
      Files.delete(file);
    } catch (IOException | RuntimeException kept) {
      LOG.warn("Segment {} of the recording stays unpacked", file, kept);
    }
  }

  /** Ends it; waits for what is being packed. */
  void close() throws IOException, InterruptedException {
    Path unused = end();
    packer.shutdown();
    if (!packer.awaitTermination(PACK_SECONDS, TimeUnit.SECONDS)) {
      LOG.warn("Segments of the recording in {} are still being packed", folder);
    }
  }
}
