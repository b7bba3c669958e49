package dev.evenkeel.hostpath;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tells whether something of an image is mounted or behind a loop device, as far as Linux tells
 * this process. On systems without these files nothing counts as in use.
 */
final class Uses {
  private final Path mountInfo;
  private final Path blockDevices;

  Uses(Path mountInfo, Path blockDevices) {
    this.mountInfo = mountInfo;
    this.blockDevices = blockDevices;
  }

  static Uses ofThisMachine() {
    return new Uses(Path.of("/proc/self/mountinfo"), Path.of("/sys/block"));
  }

  boolean of(Path image) throws IOException {
    return mounted(image) || looped(image);
  }

  /** Whether something is mounted at exactly that path. */
  boolean isMountPoint(Path point) throws IOException {
    return mounts().stream().anyMatch(mount -> mount.point().equals(point));
  }

  /** A line of mountinfo: which part of which device is mounted where. */
  private record Mount(String device, Path root, Path point) {}

  private boolean mounted(Path image) throws IOException {
    List<Mount> mounts = mounts();
    for (Mount mount : mounts) {
      if (mount.point().startsWith(image)) {
        return true;
      }
    }
    Optional<Mount> holder =
        mounts.stream()
            .filter(mount -> image.startsWith(mount.point()))
            .reduce((a, b) -> b.point().getNameCount() >= a.point().getNameCount() ? b : a);
    if (holder.isEmpty()) {
      return false;
    }
    Path inside = holder.get().root().resolve(holder.get().point().relativize(image).toString());
    return mounts.stream()
        .anyMatch(
            mount ->
                mount.device().equals(holder.get().device()) && mount.root().startsWith(inside));
  }

  private List<Mount> mounts() throws IOException {
    List<Mount> mounts = new ArrayList<>();
    List<String> lines;
    try {
      lines = Files.readAllLines(mountInfo, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      return mounts;
    }
    for (String line : lines) {
      String[] parts = line.split(" ", 6);
      if (parts.length == 6 && parts[3].startsWith("/")) {
        mounts.add(new Mount(parts[2], path(parts[3]), path(parts[4])));
      }
    }
    return mounts;
  }

  private boolean looped(Path image) throws IOException {
    try (DirectoryStream<Path> loops = Files.newDirectoryStream(blockDevices, "loop*")) {
      for (Path loop : loops) {
        if (backing(loop).filter(file -> file.startsWith(image)).isPresent()) {
          return true;
        }
      }
    } catch (NoSuchFileException e) {
      return false;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return false;
  }

  /** One that is let go meanwhile says nothing of the others. */
  private static Optional<Path> backing(Path loop) throws IOException {
    try {
      String file = Files.readString(loop.resolve("loop").resolve("backing_file"));
      return Optional.of(Path.of(file.strip()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** Undoes the kernel's escapes: a blank is {@code \040}. */
  private static Path path(String escaped) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < escaped.length(); i++) {
      char c = escaped.charAt(i);
      if (c == '\\' && i + 3 < escaped.length()) {
        out.append((char) Integer.parseInt(escaped.substring(i + 1, i + 4), 8));
        i += 3;
      } else {
        out.append(c);
      }
    }
    return Path.of(out.toString());
  }
}
